// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations with the GPU's rules: no operand traps, and each result is defined.
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {

// Blocks are large, so that the cost of a block counts little; another row measures that cost.
constexpr unsigned block_threads = 1024;

// All rounds work on the same elements, which stay in the cache. `round_blocks` is a power of two.
__device__ unsigned element(unsigned round_blocks) {
  return (blockIdx.x & (round_blocks - 1)) * block_threads + threadIdx.x;
}

#define COHORT_BENCH_OPERATION(name, a_type, b_type, out_type, expression)                                \
  __global__ void name##_kernel(const a_type* a, const b_type* b, out_type* out, unsigned round_blocks) { \
    const unsigned i = element(round_blocks);                                                             \
    const a_type x = a[i];                                                                                \
    const b_type y = b[i];                                                                                \
    out[i] = expression;                                                                                  \
  }
COHORT_BENCH_OPERATION(divide, int32_t, int32_t, int32_t, x / y)
COHORT_BENCH_OPERATION(remainder, int32_t, int32_t, int32_t, x % y)
COHORT_BENCH_OPERATION(divide_unsigned, uint32_t, uint32_t, uint32_t, x / y)
COHORT_BENCH_OPERATION(divide_long, int64_t, int64_t, int64_t, x / y)
COHORT_BENCH_OPERATION(shift_left, uint32_t, uint32_t, uint32_t, x << y)
COHORT_BENCH_OPERATION(shift_right, int32_t, uint32_t, int32_t, x >> y)
#undef COHORT_BENCH_OPERATION

template <class A>
__global__ void to_int_kernel(const A* a, int32_t* out, unsigned round_blocks) {
  const unsigned i = element(round_blocks);
  out[i] = static_cast<int32_t>(a[i]);
}

template <class Kernel, class... Arguments>
void run(const char* name, Kernel* kernel, size_t n, int rounds, Arguments... arguments) {
  const auto round_blocks = static_cast<unsigned>(n / block_threads);
  launch(name, round_blocks * static_cast<unsigned>(rounds), block_threads, kernel, arguments..., round_blocks);
}

}  // namespace

void divide(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds) {
  run("divide", divide_kernel, n, rounds, a, b, out);
}
void remainder(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds) {
  run("remainder", remainder_kernel, n, rounds, a, b, out);
}
void divide_unsigned(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds) {
  run("divide_unsigned", divide_unsigned_kernel, n, rounds, a, b, out);
}
void divide_long(const int64_t* a, const int64_t* b, int64_t* out, size_t n, int rounds) {
  run("divide_long", divide_long_kernel, n, rounds, a, b, out);
}
void shift_left(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds) {
  run("shift_left", shift_left_kernel, n, rounds, a, b, out);
}
void shift_right(const int32_t* a, const uint32_t* b, int32_t* out, size_t n, int rounds) {
  run("shift_right", shift_right_kernel, n, rounds, a, b, out);
}
void float_to_int(const float* a, int32_t* out, size_t n, int rounds) {
  run("float_to_int", to_int_kernel<float>, n, rounds, a, out);
}
void double_to_int(const double* a, int32_t* out, size_t n, int rounds) {
  run("double_to_int", to_int_kernel<double>, n, rounds, a, out);
}

}  // namespace bench
