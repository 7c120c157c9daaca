// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array of the sums, and the timing of launches that read it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "rows.hpp"

inline constexpr std::size_t batches = 2048;
inline constexpr std::size_t batch_length = 262144;
inline constexpr std::size_t array_length = batches * batch_length;

// The array, all ones, in device memory, and one sum for each batch.
struct sum_arrays {
  float* values;
  float* sums;
};
const sum_arrays& arrays();

void expect(cudaError_t result, const char* what);

// GB/s of five consecutive launches that read the whole array. `start` launches once. Each of the first `sums` results
// must be `expected`; any other value ends the program.
double rate_of(void (*start)(), std::size_t sums, float expected);
