// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for `cvt` of inline PTX. Formats without a type of the compiler are integers of their
// bits. `rounding` is a number of cohort_rounding; a NaN is PTX's canonical one in formats of up to 19 bits.
#pragma once

#include "../conversions.h"
#include "../small_floats/float8_bits.h"
#include "../small_floats/rounded_bfloat16.h"
#include "../small_floats/rounded_float16.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

// `convert` is a template over the rounding.
#define COHORT_PTX_ROUNDED(result, name, type, convert)                         \
  COHORT_PTX_FUNCTION result cohort_ptx_##name(type x, unsigned int rounding) { \
    switch (static_cast<cohort_rounding>(rounding)) {                           \
      case cohort_rounding::zero:                                               \
        return convert(cohort_rounding::zero);                                  \
      case cohort_rounding::up:                                                 \
        return convert(cohort_rounding::up);                                    \
      case cohort_rounding::down:                                               \
        return convert(cohort_rounding::down);                                  \
      default:                                                                  \
        return convert(cohort_rounding::nearest);                               \
    }                                                                           \
  }

#define COHORT_PTX_CONVERT(mode) cohort_to_float<mode>(x)
COHORT_PTX_ROUNDED(float, f64_to_f32, double, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT

#define COHORT_PTX_CONVERT(mode) \
  x != x ? static_cast<unsigned short>(0x7fff) : __builtin_bit_cast(unsigned short, cohort_to_float16<mode>(x))
COHORT_PTX_ROUNDED(unsigned short, f32_to_f16, float, COHORT_PTX_CONVERT)
COHORT_PTX_ROUNDED(unsigned short, f64_to_f16, double, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT

#define COHORT_PTX_CONVERT(mode) cohort_rounded_bfloat16_bits<mode>(x)
COHORT_PTX_ROUNDED(unsigned short, f32_to_bf16, float, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT
#define COHORT_PTX_CONVERT(mode) cohort_rounded_bfloat16_bits<mode>(cohort_float_to_odd(x))
COHORT_PTX_ROUNDED(unsigned short, f64_to_bf16, double, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT

#define COHORT_PTX_CONVERT(mode) __builtin_bit_cast(unsigned short, cohort_integer_to_float16<mode>(x))
COHORT_PTX_ROUNDED(unsigned short, s64_to_f16, long long, COHORT_PTX_CONVERT)
COHORT_PTX_ROUNDED(unsigned short, u64_to_f16, unsigned long long, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT
#define COHORT_PTX_CONVERT(mode) cohort_rounded_bfloat16_bits<mode>(cohort_float_to_odd(cohort_double_to_odd(x)))
COHORT_PTX_ROUNDED(unsigned short, s64_to_bf16, long long, COHORT_PTX_CONVERT)
COHORT_PTX_ROUNDED(unsigned short, u64_to_bf16, unsigned long long, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT
#define COHORT_PTX_CONVERT(mode) cohort_from_integer<mode, float>(x)
COHORT_PTX_ROUNDED(float, s64_to_f32, long long, COHORT_PTX_CONVERT)
COHORT_PTX_ROUNDED(float, u64_to_f32, unsigned long long, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT
#define COHORT_PTX_CONVERT(mode) cohort_from_integer<mode, double>(x)
COHORT_PTX_ROUNDED(double, s64_to_f64, long long, COHORT_PTX_CONVERT)
COHORT_PTX_ROUNDED(double, u64_to_f64, unsigned long long, COHORT_PTX_CONVERT)
#undef COHORT_PTX_CONVERT
#undef COHORT_PTX_ROUNDED

COHORT_PTX_FUNCTION float cohort_ptx_bf16_to_f32(unsigned short x) { return cohort_bfloat16_value(x); }

COHORT_PTX_FUNCTION unsigned char cohort_ptx_f32_to_fp8(float x, unsigned int mantissa_bits) {
  return cohort_fp8_bits(x, true, static_cast<int>(mantissa_bits));
}
COHORT_PTX_FUNCTION float cohort_ptx_fp8_to_f32(unsigned char x, unsigned int mantissa_bits) {
  return cohort_fp8_value(x, static_cast<int>(mantissa_bits));
}

// TF32: a float with 10 bits of mantissa; the low 13 bits are zero. Adding `half` carries into the kept bits if the
// rest is half a unit or more. For ties to even, one less is added if the last kept bit is 0.
COHORT_PTX_FUNCTION unsigned int cohort_ptx_f32_to_tf32(float x, unsigned int half, unsigned int to_even) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  const unsigned int adjusted = half - (to_even & ~(bits >> 13) & 1u);
  return x != x ? 0x7fffffffu : (bits + adjusted) & ~0x1fffu;
}

#endif
