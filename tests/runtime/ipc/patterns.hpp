// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills and comparisons of memory through copies, and the number of this process's open files.
#pragma once

#include <fcntl.h>

#include <vector>

#include "../expect.hpp"

inline size_t count_equal(const void* memory, size_t bytes, int value) {
  std::vector<unsigned char> copy(bytes);
  CALL(cudaMemcpy(copy.data(), memory, bytes, cudaMemcpyDeviceToHost));
  size_t equal = 0;
  for (size_t i = 0; i < bytes; ++i) equal += copy[i] == static_cast<unsigned char>(value + i % 7);
  return equal;
}

inline void write_pattern(void* memory, size_t bytes, int value) {
  std::vector<unsigned char> pattern(bytes);
  for (size_t i = 0; i < bytes; ++i) pattern[i] = static_cast<unsigned char>(value + i % 7);
  CALL(cudaMemcpy(memory, pattern.data(), bytes, cudaMemcpyHostToDevice));
}

inline size_t open_files() {
  size_t count = 0;
  for (int i = 0; i < 1024; ++i) count += fcntl(i, F_GETFD) != -1;
  return count;
}
