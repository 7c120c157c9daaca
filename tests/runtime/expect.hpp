// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks for the CUDA programs of this folder: a failed check prints its line, and main returns 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static int failures = 0;

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                         \
    }                                                                     \
  } while (0)

// Checks a call that all later checks depend on: ends the program if it fails.
#define CALL(call)                                                                          \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)
