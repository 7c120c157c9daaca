// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of this folder that are compiled as CUDA sources say where something is not so.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static int failures = 0;

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                         \
    }                                                                     \
  } while (0)

// Of a call without which nothing else makes sense.
#define CALL(call)                                                                          \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)
