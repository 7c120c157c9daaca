// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: modules that a running program loads and unloads.
#pragma once

#include <string>

#include <cohort/machine/cpu/port/module.hpp>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Loads the image at `data`, a shared library or its text form. Each load makes a module with its own variables. After
// an error writes a sentence that says why: cudaErrorInvalidKernelImage, or cudaErrorNoKernelImageForDevice for a CPU
// that lacks features of the image.
cudaError_t load_image(const void* data, const cohort_module** module, std::string* why);

// Unloads a module of load_image(); false for any other. Waits for the work of all streams.
bool unload_image(const cohort_module* module);

}  // namespace cohort::runtime
