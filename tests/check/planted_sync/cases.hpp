// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of a program with planted defects: `program CASE` runs the defect, `program CASE twin` the
// correction.
#pragma once

#include <cstdio>
#include <cstring>

struct planted_case {
  const char* name;
  void (*defect)();
  void (*twin)();
};

template <class T>
T* device_array(int count) {
  void* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}

// An array of `count` values 1, 2, 3, ... in device memory.
template <class T>
T* device_numbers(int count) {
  T* host = new T[count];
  for (int i = 0; i < count; ++i) host[i] = static_cast<T>(i + 1);
  T* memory = device_array<T>(count);
  cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice);
  delete[] host;
  return memory;
}

template <int count>
int run_case(const planted_case (&cases)[count], int words, char** word) {
  for (const planted_case& one : cases) {
    if (words < 2 || std::strcmp(one.name, word[1]) != 0) continue;
    const bool twin = words > 2 && std::strcmp(word[2], "twin") == 0;
    (twin ? one.twin : one.defect)();
    const cudaError_t end = cudaDeviceSynchronize();
    std::printf("%s: %s\n", one.name, cudaGetErrorString(end));
    return end == cudaSuccess ? 0 : 1;
  }
  for (const planted_case& one : cases) std::printf("%s\n", one.name);
  return 2;
}
