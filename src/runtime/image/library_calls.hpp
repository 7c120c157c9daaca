// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that load libraries of kernels, of the runtime API and of the driver API.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// The options of a load. Both APIs give them the same numbers.
struct library_load_options {
  cudaJitOption* jit;
  void** jit_values;
  unsigned jit_count;
  cudaLibraryOption* library;
  void** library_values;
  unsigned library_count;
};

// Load a library from memory or from a file. `call`: the name of the program's call, for reports.
cudaError_t load_library(const char* call, cudaLibrary_t* made, const void* code, const library_load_options& options);
cudaError_t load_library_file(const char* call, cudaLibrary_t* made, const char* path,
                              const library_load_options& options);

}  // namespace cohort::runtime
