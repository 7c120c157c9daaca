// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type __half: IEEE's 16-bit format. Arithmetic is the compiler's _Float16, rounded after each operation.
#pragma once

#include "../device/macros.h"

// The bits of a half as a plain type; __half converts from and to it.
struct __half_raw {
  unsigned short x;
};
// The bits of a pair, low half first.
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

struct __half {
  union {
    _Float16 value_;
    unsigned short __x;  // the bits; libcu++ writes them by this name
  };

  __half() = default;
  // Converts from every type of number, to the nearest half.
#define COHORT_HALF_FROM(type) \
  COHORT_BOTH_MEMBER constexpr __half(type x) : value_(static_cast<_Float16>(x)) {}
  COHORT_HALF_FROM(_Float16)
  COHORT_HALF_FROM(float)
  COHORT_HALF_FROM(double)
  COHORT_HALF_FROM(short)
  COHORT_HALF_FROM(unsigned short)
  COHORT_HALF_FROM(int)
  COHORT_HALF_FROM(unsigned int)
  COHORT_HALF_FROM(long)
  COHORT_HALF_FROM(unsigned long)
  COHORT_HALF_FROM(long long)
  COHORT_HALF_FROM(unsigned long long)
#undef COHORT_HALF_FROM
  COHORT_BOTH_MEMBER constexpr __half(__half_raw bits) : value_(__builtin_bit_cast(_Float16, bits.x)) {}

  COHORT_BOTH_MEMBER operator __half_raw() const { return {__builtin_bit_cast(unsigned short, value_)}; }
  COHORT_BOTH_MEMBER constexpr operator float() const { return static_cast<float>(value_); }
  COHORT_BOTH_MEMBER constexpr explicit operator double() const { return static_cast<double>(value_); }
  COHORT_BOTH_MEMBER constexpr explicit operator bool() const { return value_ != static_cast<_Float16>(0); }
#define COHORT_HALF_TO(type) \
  COHORT_BOTH_MEMBER constexpr explicit operator type() const { return static_cast<type>(value_); }
  COHORT_HALF_TO(short)
  COHORT_HALF_TO(unsigned short)
  COHORT_HALF_TO(int)
  COHORT_HALF_TO(unsigned int)
  COHORT_HALF_TO(long)
  COHORT_HALF_TO(unsigned long)
  COHORT_HALF_TO(long long)
  COHORT_HALF_TO(unsigned long long)
#undef COHORT_HALF_TO
};
typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;
static_assert(sizeof(__half) == 2 && alignof(__half) == 2, "__half is two bytes");

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  COHORT_BOTH_MEMBER constexpr __half2(__half a, __half b) : x(a), y(b) {}
  COHORT_BOTH_MEMBER constexpr __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  COHORT_BOTH_MEMBER operator __half2_raw() const {
    return {static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;
static_assert(sizeof(__half2) == 4 && alignof(__half2) == 4, "__half2 is four bytes");
