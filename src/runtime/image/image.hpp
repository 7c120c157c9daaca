// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: modules that a running program loads and unloads.
#pragma once

#include <string>

#include <cohort/machine/cpu/port/module.hpp>

#include "cuda_runtime_api.h"
#include "runtime/image/jit_log.hpp"

namespace cohort::runtime {

// The handle that the program has for an image: only calls for that handle unload it.
enum class image_owner : unsigned char { module, library };

// Loads the image at `data`, a shared library or its text form. Each load makes a module with its own variables. After
// an error writes a sentence that says why: cudaErrorInvalidKernelImage, or cudaErrorNoKernelImageForDevice for a CPU
// that lacks features of the image.
cudaError_t load_image(const void* data, image_owner owner, const cohort_module** module, std::string* why);

// Loads an image for `call`, which stderr and the error log name after an error.
cudaError_t load_image_for(const char* call, const void* data, image_owner owner, jit_log* log,
                           const cohort_module** module);

// Reads an image from a file. False if the file cannot be read.
bool read_image_file(const char* path, std::string* bytes);

// Whether load_image() has loaded the module for this owner.
bool is_image(const cohort_module* module, image_owner owner);

// Unloads a module that load_image() has loaded for this owner. Waits for the work of all streams.
// cudaErrorNotPermitted for another module, cudaErrorInvalidResourceHandle for an unknown one.
cudaError_t unload_image(const cohort_module* module, image_owner owner);

}  // namespace cohort::runtime
