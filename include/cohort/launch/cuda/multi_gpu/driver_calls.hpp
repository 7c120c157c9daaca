// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries that only the CUDA driver answers. The runtime gives the addresses of the driver's functions, so that nothing
// links libcuda.
#pragma once

#include <stddef.h>

#include <cuda_runtime.h>

#include "../../../base/cuda_error.hpp"

namespace cohort {
namespace detail {

// The driver's function `name`, as of CUDA version `version`. Null where the driver has no such function.
template <class Function>
Function* driver_function(const char* name, [[maybe_unused]] unsigned int version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const cudaError_t result = cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &status);
#else
  const cudaError_t result = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &status);
#endif
  return result == cudaSuccess && status == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(found) : nullptr;
}

// The id of the current device's context, which changes with cudaDeviceReset(). 0 if the driver gives none.
inline unsigned long long current_context() {
  using id_of_context = int(void* context, unsigned long long* id);
  static id_of_context* const id_of = driver_function<id_of_context>("cuCtxGetId", 12000);
  unsigned long long id = 0;
  return id_of != nullptr && id_of(nullptr, &id) == 0 ? id : 0;
}

// Finds the variable `name` in the module that `kernel` was compiled in, on the current device. Writes null if the
// module has no such variable. cudaErrorInvalidDeviceFunction if the variable's size is not `expected_bytes`.
inline cudaError_t find_module_variable(const void* kernel, const char* name, size_t expected_bytes, void** address) {
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
  const int missing = global_of(&found, &bytes, module, name);
  if (missing == error_symbol_not_found) return cudaSuccess;
  if (missing != 0) return static_cast<cudaError_t>(missing);
  *address = reinterpret_cast<void*>(found);
  return bytes == expected_bytes ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

}  // namespace detail
}  // namespace cohort
