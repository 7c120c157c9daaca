// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the driver knows. Its functions come through the runtime: nothing links libcuda.
#pragma once

#include <cuda_runtime.h>

namespace cohort {
namespace detail {

// Null where the driver has no such function. `version` is the CUDA version that brought it.
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

// A number of the current device's context, which another one has after cudaDeviceReset(); 0 if the driver cannot say.
inline unsigned long long current_context() {
  using id_of_context = int(void* context, unsigned long long* id);
  static id_of_context* const id_of = driver_function<id_of_context>("cuCtxGetId", 12000);
  unsigned long long id = 0;
  return id_of != nullptr && id_of(nullptr, &id) == 0 ? id : 0;
}

}  // namespace detail
}  // namespace cohort
