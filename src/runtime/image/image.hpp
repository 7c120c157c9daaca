// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: modules that a running program loads and unloads.
#pragma once

#include <string>

#include <cohort/machine/cpu/port/module.hpp>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Loads the image that begins at `data`, a shared library or the text form of one; each load makes a module of its own,
// with its own variables. On an error writes a sentence that says why: cudaErrorInvalidKernelImage, or
// cudaErrorNoKernelImageForDevice for a CPU with fewer features than the image needs.
cudaError_t load_image(const void* data, const cohort_module** module, std::string* why);

// Unloads a module that load_image returned; false for any other. Waits for the work of all streams.
bool unload_image(const cohort_module* module);

}  // namespace cohort::runtime
