// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that wait for the kernel. An error ends the program.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace bench {

inline void check(cudaError_t error, const char* kernel) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cohort_bench: %s failed: %s\n", kernel, cudaGetErrorString(error));
  std::exit(1);
}

// Waits for all launches of the program `name`.
inline void finish(const char* name) {
  check(cudaGetLastError(), name);
  check(cudaDeviceSynchronize(), name);
}

inline unsigned count(long n) { return static_cast<unsigned>(n); }

template <class... Parameters, class... Arguments>
void launch(const char* name, dim3 blocks, dim3 threads, void (*kernel)(Parameters...), Arguments... arguments) {
  kernel<<<blocks, threads>>>(static_cast<Parameters>(arguments)...);
  finish(name);
}

template <class... Parameters, class... Arguments>
void launch_cooperative(const char* name, dim3 blocks, dim3 threads, void (*kernel)(Parameters...),
                        Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), blocks, threads, pointers, 0, nullptr),
        name);
  check(cudaDeviceSynchronize(), name);
}

}  // namespace bench
