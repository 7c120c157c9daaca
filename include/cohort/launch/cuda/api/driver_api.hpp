// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries that only the CUDA driver answers. The runtime returns the addresses of the driver's functions, so nothing
// links libcuda.
#pragma once

#include <stddef.h>

#include <cuda_runtime.h>

#include "../../../base/cuda_error.hpp"
#include "runtime_api.hpp"

namespace cohort {
namespace detail {
namespace api {

// The driver's function `name`, as of CUDA version `version`. Null if the driver has no such function.
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

// The id of the current device's context, which changes with cudaDeviceReset(). 0 if the driver returns none.
inline unsigned long long current_context() {
  using id_of_context = int(void* context, unsigned long long* id);
  static id_of_context* const id_of = driver_function<id_of_context>("cuCtxGetId", 12000);
  unsigned long long id = 0;
  return id_of != nullptr && id_of(nullptr, &id) == 0 ? id : 0;
}

// Finds the variable `name` in the module that `kernel` was compiled in, on the current device. Writes null if the
// module has no such variable. cudaErrorInvalidDeviceFunction if the variable's size is not `expected_bytes`.
inline error find_module_variable(const void* kernel, const char* name, size_t expected_bytes, void** address) {
  using module_of_function = int(void** module, void* function);
  using global_of_module = int(unsigned long long* address, size_t* bytes, void* module, const char* name);
  static module_of_function* const module_of = driver_function<module_of_function>("cuFuncGetModule", 11000);
  static global_of_module* const global_of = driver_function<global_of_module>("cuModuleGetGlobal", 11000);
  *address = nullptr;
  if (module_of == nullptr || global_of == nullptr) return cudaErrorNotSupported;
  cudaFunction_t function = nullptr;
  const cudaError_t result = cudaGetFuncBySymbol(&function, kernel);
  if (result != success) return result;
  void* module = nullptr;
  const int failed = module_of(&module, reinterpret_cast<void*>(function));
  if (failed != 0) return static_cast<error>(failed);
  unsigned long long found = 0;
  size_t bytes = 0;
  const int missing = global_of(&found, &bytes, module, name);
  if (missing == error_symbol_not_found) return success;
  if (missing != 0) return static_cast<error>(missing);
  *address = reinterpret_cast<void*>(found);
  return bytes == expected_bytes ? success : cudaErrorInvalidDeviceFunction;
}

// Writes the device of a stream. Before CUDA 12.8, which added cudaStreamGetDevice(), it queries the driver.
inline error device_of_stream(stream s, int* device) {
#if CUDART_VERSION >= 12080
  return cudaStreamGetDevice(s, device);
#else
  using device_of_context = int(int* device);
  using context_of_stream = int(stream s, void** context);
  using set_context = int(void* context);
  using get_context = int(void** context);
  static device_of_context* const device_of = driver_function<device_of_context>("cuCtxGetDevice", 2000);
  static context_of_stream* const context_of = driver_function<context_of_stream>("cuStreamGetCtx", 9020);
  static set_context* const set = driver_function<set_context>("cuCtxSetCurrent", 4000);
  static get_context* const get = driver_function<get_context>("cuCtxGetCurrent", 4000);
  if (device_of == nullptr || context_of == nullptr || set == nullptr || get == nullptr) return cudaErrorNotSupported;
  void *its = nullptr, *before = nullptr;
  int result = get(&before);
  if (result == 0) result = context_of(s, &its);
  if (result == 0) result = set(its);
  if (result == 0) result = device_of(device);
  set(before);
  return static_cast<error>(result);
#endif
}

}  // namespace api
}  // namespace detail
}  // namespace cohort
