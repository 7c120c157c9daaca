// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of order bugs: the result of each kernel is right in the engine's own order, and wrong in some other order.
#pragma once

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include <cuda_runtime.h>

constexpr int words = 4096;

// The device memory of a kernel, all zero at first.
struct order_bug {
  void (*launch)(int* memory);
  int expected;  // memory[0] after a right run
};

inline int run_order_bug(const std::map<std::string, order_bug>& bugs, int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--list")) {
    for (const auto& [name, bug] : bugs) std::printf("%s\n", name.c_str());
    return 0;
  }
  const auto found = argc == 2 ? bugs.find(argv[1]) : bugs.end();
  if (found == bugs.end()) return 2;
  int* memory = nullptr;
  int result = 0;
  cudaMalloc(&memory, words * sizeof(int));
  cudaMemset(memory, 0, words * sizeof(int));
  found->second.launch(memory);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) cudaMemcpy(&result, memory, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s: error %d, result %d\n", argv[1], int{error}, result);
  return error == cudaSuccess && result == found->second.expected ? 0 : 1;
}
