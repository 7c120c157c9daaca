// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks for the programs below this folder: each failure is printed, and result() is the program's exit status.
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

inline int result() {
  std::puts(failures ? "failed" : "passed");
  return failures != 0;
}
