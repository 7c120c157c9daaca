// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a kernel looks for its launch over several GPUs: a variable in the kernel's own module, found by its name with
// the driver, wherever the kernel was compiled.
#pragma once

#include <stddef.h>

#include <cuda_runtime.h>

#include "../base/cuda_error.hpp"
#include "../machine/ptx/grid/multi_grid.hpp"
#include "driver_function.hpp"

namespace cohort {
namespace detail {

// The variable on the current device; null if the kernel's module has none, for then nothing in it asks.
inline cudaError_t find_multi_device_launch(const void* kernel, void** address) {
  using module_of_function = int(void** module, void* function);
  using global_of_module = int(unsigned long long* address, size_t* bytes, void* module, const char* name);
  static module_of_function* const module_of = driver_function<module_of_function>("cuFuncGetModule", 11000);
  static global_of_module* const global_of = driver_function<global_of_module>("cuModuleGetGlobal", 11000);
  *address = nullptr;
  if (module_of == nullptr || global_of == nullptr) return cudaErrorNotSupported;
  cudaFunction_t function = nullptr;
  const cudaError_t result = cudaGetFuncBySymbol(&function, kernel);
  if (result != cudaSuccess) return result;
  void* module = nullptr;
  const int failed = module_of(&module, reinterpret_cast<void*>(function));
  if (failed != 0) return static_cast<cudaError_t>(failed);
  unsigned long long found = 0;
  size_t bytes = 0;
  const int missing = global_of(&found, &bytes, module, COHORT_MULTI_DEVICE_LAUNCH_NAME);
  if (missing == error_symbol_not_found) return cudaSuccess;
  if (missing != 0) return static_cast<cudaError_t>(missing);
  *address = reinterpret_cast<void*>(found);
  return bytes == sizeof(multi_grid_descriptor) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

}  // namespace detail
}  // namespace cohort
