// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each round is a call that is not inlined, so that no round is optimized away.
#include "hand_written.hpp"

namespace bench::hand_written {

namespace {

template <class A, class B, class Result, class Op>
[[gnu::noinline]] void one_round(const A* __restrict a, const B* __restrict b, Result* __restrict out, size_t n,
                                 Op op) {
  for (size_t i = 0; i < n; ++i) out[i] = op(a[i], b[i]);
  asm volatile("" ::: "memory");
}

template <class A, class Result>
[[gnu::noinline]] void convert_round(const A* __restrict a, Result* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<Result>(a[i]);
  asm volatile("" ::: "memory");
}

}  // namespace

void divide(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](int32_t x, int32_t y) { return x / y; });
}
void remainder(const int32_t* a, const int32_t* b, int32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](int32_t x, int32_t y) { return x % y; });
}
void divide_unsigned(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](uint32_t x, uint32_t y) { return x / y; });
}
void divide_long(const int64_t* a, const int64_t* b, int64_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](int64_t x, int64_t y) { return x / y; });
}
void shift_left(const uint32_t* a, const uint32_t* b, uint32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](uint32_t x, uint32_t y) { return x << y; });
}
void shift_right(const int32_t* a, const uint32_t* b, int32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) one_round(a, b, out, n, [](int32_t x, uint32_t y) { return x >> y; });
}
void float_to_int(const float* a, int32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) convert_round(a, out, n);
}
void double_to_int(const double* a, int32_t* out, size_t n, int rounds) {
  for (int r = 0; r < rounds; ++r) convert_round(a, out, n);
}

}  // namespace bench::hand_written
