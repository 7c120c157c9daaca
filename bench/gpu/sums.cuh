// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array that is summed, the timing, and how one block reads its part.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "rows.hpp"

inline constexpr std::size_t batches = 2048;
inline constexpr std::size_t batch_length = 262144;
inline constexpr std::size_t array_length = batches * batch_length;

// The array, all ones, on the device; and room for a sum of each batch.
struct sum_arrays {
  float* values;
  float* sums;
};
const sum_arrays& arrays();

void expect(cudaError_t result, const char* what);

// GB/s of launches that read the whole array, five in a row. `start` launches once. The first `sums` results must each
// be `expected`.
double rate_of(void (*start)(), std::size_t sums, float expected);
