// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that launch the kernels of whole programs, compiled by cohortcc, and wait for them. Pointers are to
// host memory. A failed launch ends the program with the error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

// ---- barriers.cu: one block
// In each round each thread adds the value of the next one, through shared memory and with two barriers.
void exchange(int threads, int rounds, uint32_t* values);
// Each round replaces all values by their sum, divided by the number of threads.
void block_sums(int threads, int rounds, float* values);

// ---- warp.cu: one warp, `rounds` dependent operations on 32 values
void warp_sums(int rounds, float* values);
void warp_shuffles(int rounds, int32_t* values);  // value = value of rank value + 1
void warp_ballots(int rounds, uint32_t* values);  // value += ballot(bit 4 of value)
void warp_scans(int rounds, uint32_t* values);
// Stores the sum of the 32 values of row r in sums[r]. Does so for all rows `passes` times.
void warp_row_sums(int passes, const float* values, int rows, float* sums);
// Counts how many of the 32 * rows words of each rank have bit 4 set, with a ballot for each 32 words. Goes over all
// words `passes` times.
void warp_counts(int passes, const uint32_t* words, int rows, uint32_t* counts);
// Copies the elements above `limit`, in any order: one atomic operation for the lanes that copy. Returns their number.
uint32_t filter(const int32_t* in, int32_t* out, uint32_t elements, int32_t limit);

// ---- sums.cu
void shuffle_sum(const float* in, float* out, size_t batches, size_t elements);
// Sums the whole array in one cooperative launch; `partials` has an element for each block.
float array_sum(const float* in, size_t elements, int blocks, float* partials);

// ---- movement.cu
void transpose(const float* in, float* out, int n);
void scan_blocks(const int32_t* in, int32_t* out, int blocks);  // Hillis-Steele, 1024 elements a block
// Each thread writes its grid rank. The output of block b begins at b % slots * threads.
void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots);

// ---- matrix.cu, black_scholes.cu
void matrix_product(const float* a, const float* b, float* c, int n);
// `a` (by rows) and `b` (by columns) have numbers of f16, two in a word. n % 32 == 0
void tensor_core_product(const uint32_t* a, const uint32_t* b, float* c, int n);
// The product by tiles in shared memory, ldmatrix and 16 products of a warp for each 16 of k. n % 128 == 0
void tiled_tensor_core_product(const uint32_t* a, const uint32_t* b, float* c, int n);
void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, uint32_t n);

// ---- arithmetic.cu: out[i] = operation(a[i], b[i]) for `n` elements, `rounds` times in one launch. n % 1024 == 0.
void divide(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds);
void remainder(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds);
void divide_unsigned(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds);
void divide_long(const int64_t* a, const int64_t* b, int64_t* out, size_t n, int rounds);
void shift_left(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds);
void shift_right(const int32_t* a, const uint32_t* b, int32_t* out, size_t n, int rounds);
void float_to_int(const float* a, int32_t* out, size_t n, int rounds);
void double_to_int(const double* a, int32_t* out, size_t n, int rounds);

// ---- launches.cu
void two_small_blocks(int32_t* out);

// ---- builds.cu: for this CPU, for any CPU with AVX2, and for this CPU with gangs of one warp
#define COHORT_BENCH_BUILD_FUNCTIONS                                           \
  /* One block; each value lives across all barriers. */                       \
  void barriers_with_live_state(int threads, int rounds, float* values);       \
  void tree_sum(const float* in, float* out, size_t batches, size_t elements); \
  void collatz(int32_t* out, uint32_t n);                                      \
  void mandelbrot(int32_t* out, int width, int height, int limit);
namespace native {
COHORT_BENCH_BUILD_FUNCTIONS
}
namespace avx2 {
COHORT_BENCH_BUILD_FUNCTIONS
}
namespace gangs_of_32 {
COHORT_BENCH_BUILD_FUNCTIONS
}
#undef COHORT_BENCH_BUILD_FUNCTIONS

}  // namespace bench
