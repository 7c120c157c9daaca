// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __nv_bfloat16 from and to other numbers.
#pragma once

#include "bfloat16.h"

COHORT_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
COHORT_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
COHORT_BOTH_FUNCTION __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
COHORT_BOTH_FUNCTION float __bfloat162float(__nv_bfloat16 x) { return static_cast<float>(x); }

COHORT_BOTH_FUNCTION short __bfloat16_as_short(__nv_bfloat16 x) { return __builtin_bit_cast(short, x.__x); }
COHORT_BOTH_FUNCTION unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
COHORT_BOTH_FUNCTION __nv_bfloat16 __short_as_bfloat16(short x) {
  return __nv_bfloat16_raw{__builtin_bit_cast(unsigned short, x)};
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16_raw{x}; }

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
