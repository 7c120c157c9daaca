// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type __nv_bfloat16: the upper half of a float. Arithmetic is done in float or double and rounded once.
#pragma once

#include "../device/macros.h"
#include "../device/small_floats/bfloat16_bits.h"

// The bits of a bfloat16 as a plain type; __nv_bfloat16 converts from and to it.
struct __nv_bfloat16_raw {
  unsigned short x;
};
// The bits of a pair, low half first.
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16 {
  unsigned short __x;  // libcu++ uses the name

  __nv_bfloat16() = default;
  // Converts from every type of number, to the nearest bfloat16.
  COHORT_BOTH_MEMBER constexpr __nv_bfloat16(float x) : __x(cohort_bfloat16_bits(x)) {}
  COHORT_BOTH_MEMBER constexpr __nv_bfloat16(double x) : __x(cohort_bfloat16_bits(cohort_float_to_odd(x))) {}
#define COHORT_BFLOAT16_FROM(type, wide) \
  COHORT_BOTH_MEMBER constexpr __nv_bfloat16(type x) : __nv_bfloat16(cohort_double_to_odd(static_cast<wide>(x))) {}
  COHORT_BFLOAT16_FROM(short, long long)
  COHORT_BFLOAT16_FROM(unsigned short, unsigned long long)
  COHORT_BFLOAT16_FROM(int, long long)
  COHORT_BFLOAT16_FROM(unsigned int, unsigned long long)
  COHORT_BFLOAT16_FROM(long, long long)
  COHORT_BFLOAT16_FROM(unsigned long, unsigned long long)
  COHORT_BFLOAT16_FROM(long long, long long)
  COHORT_BFLOAT16_FROM(unsigned long long, unsigned long long)
#undef COHORT_BFLOAT16_FROM
  COHORT_BOTH_MEMBER constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}

  COHORT_BOTH_MEMBER constexpr operator __nv_bfloat16_raw() const { return {__x}; }
  COHORT_BOTH_MEMBER constexpr operator float() const { return cohort_bfloat16_value(__x); }
  COHORT_BOTH_MEMBER constexpr explicit operator bool() const { return (__x & 0x7fffu) != 0; }
#define COHORT_BFLOAT16_TO(type) \
  COHORT_BOTH_MEMBER constexpr explicit operator type() const { return static_cast<type>(cohort_bfloat16_value(__x)); }
  COHORT_BFLOAT16_TO(double)
  COHORT_BFLOAT16_TO(short)
  COHORT_BFLOAT16_TO(unsigned short)
  COHORT_BFLOAT16_TO(int)
  COHORT_BFLOAT16_TO(unsigned int)
  COHORT_BFLOAT16_TO(long)
  COHORT_BFLOAT16_TO(unsigned long)
  COHORT_BFLOAT16_TO(long long)
  COHORT_BFLOAT16_TO(unsigned long long)
#undef COHORT_BFLOAT16_TO
};
typedef __nv_bfloat16 nv_bfloat16;
static_assert(sizeof(__nv_bfloat16) == 2 && alignof(__nv_bfloat16) == 2, "__nv_bfloat16 is two bytes");

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  COHORT_BOTH_MEMBER constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
  COHORT_BOTH_MEMBER constexpr __nv_bfloat162(__nv_bfloat162_raw raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  COHORT_BOTH_MEMBER constexpr operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
};
typedef __nv_bfloat162 nv_bfloat162;
static_assert(sizeof(__nv_bfloat162) == 4 && alignof(__nv_bfloat162) == 4, "__nv_bfloat162 is four bytes");
