// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks for the programs below this folder: each failure is printed, and result() is the program's exit status.
// Includes little, because some programs test which names a source has without an include.
#pragma once

#include <cstdio>

inline int failures = 0;

template <class A, class B>
void expect_equal(const A& got, const B& wanted, const char* what, long long index = 0) {
  if (!(got == wanted)) {
    if (++failures < 20) {
      std::printf("FAILED %s [%lld]: %lld instead of %lld\n", what, index, static_cast<long long>(got),
                  static_cast<long long>(wanted));
    }
  }
}

inline void expect_success(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    ++failures;
    std::printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
  }
}

#define EXPECT_SUCCESS(call) expect_success(call, #call)

// A copy of a std::vector's elements in device memory.
template <class Vector>
typename Vector::value_type* copy_of(const Vector& host) {
  typename Vector::value_type* device = nullptr;
  const size_t bytes = host.size() * sizeof(*device);
  EXPECT_SUCCESS(cudaMalloc(&device, bytes));
  EXPECT_SUCCESS(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice));
  return device;
}

// A hash of a sequence of 32-bit words.
template <class Word>
unsigned long long hash_of(const Word* words, size_t count) {
  unsigned long long hash = 1469598103934665603u;
  for (size_t i = 0; i < count; ++i) {
    hash = (hash ^ static_cast<unsigned>(words[i])) * 1099511628211u;
    hash = hash << 23 | hash >> 41;
  }
  return hash;
}

inline int result() {
  std::puts(failures ? "failed" : "passed");
  return failures != 0;
}
