// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that a programmer writes for this machine instead of a kernel: plain C++, vector types where the compiler
// does not vectorise. Compiled with -O3 -march=native. They use all CPUs of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::hand_written {

// ---- hand_sums.cpp
void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots);
void batched_sum(const float* in, float* out, size_t batches, size_t elements);
float sum(const float* in, size_t elements);

// ---- hand_warp.cpp: the work of one warp on `values`, 32 elements. Each round takes the results of the round before.
void exchange(uint32_t* values, int threads, int rounds);  // value += the next thread's value
void sum_rounds(float* values, int count, int rounds);     // each value becomes the mean of all `count` values
void shuffle_rounds(int32_t* values, int rounds);
void ballot_rounds(uint32_t* values, int rounds);
void sum_rows(const float* values, int rows, int passes, float* sums);            // computes what warp_row_sums() does
void count_words(const uint32_t* words, int rows, int passes, uint32_t* counts);  // computes what warp_counts() does
void scan_rounds(uint32_t* values, int rounds);
// Copies the elements above `limit` and returns their number.
size_t filter(const int32_t* in, int32_t* out, size_t elements, int32_t limit);

// ---- hand_movement.cpp
void transpose(const float* in, float* out, size_t n);
void scan(const int32_t* in, int32_t* out, size_t blocks, size_t elements);  // inclusive, within each block

// ---- hand_divergence.cpp: scalar loops
void collatz(int32_t* out, uint32_t n);
void mandelbrot(int32_t* out, int width, int height, int limit);

// ---- hand_matrix.cpp: computes c = a * b, row-major, with tiles of 32 x 32 and vector types
void matrix_product(const float* a, const float* b, float* c, size_t n);

// ---- hand_arithmetic.cpp: out[i] = operation(a[i], b[i]) without a check of the operands, `rounds` times
void divide(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds);
void remainder(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds);
void divide_unsigned(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds);
void divide_long(const int64_t* a, const int64_t* b, int64_t* out, size_t n, int rounds);
void shift_left(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds);
void shift_right(const int32_t* a, const uint32_t* b, int32_t* out, size_t n, int rounds);
void float_to_int(const float* a, int32_t* out, size_t n, int rounds);
void double_to_int(const double* a, int32_t* out, size_t n, int rounds);

// ---- hand_black_scholes.cpp: calls the functions of SLEEF on vectors
struct options_data {
  const float* price;
  const float* strike;
  const float* years;
  float* call;
  float* put;
};
constexpr float riskless_rate = 0.02f;
constexpr float volatility = 0.30f;
std::string sleef_version();  // the reason, if SLEEF is missing
bool has_sleef();
void black_scholes(const options_data& data, size_t n);

}  // namespace bench::hand_written
