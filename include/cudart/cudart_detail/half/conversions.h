// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __half from and to other numbers.
#pragma once

#include "half.h"

COHORT_BOTH_FUNCTION __half __float2half(float x) { return __half(x); }
COHORT_BOTH_FUNCTION __half __float2half_rn(float x) { return __half(x); }
COHORT_BOTH_FUNCTION __half __double2half(double x) { return __half(x); }
COHORT_BOTH_FUNCTION float __half2float(__half x) { return static_cast<float>(x.value_); }

COHORT_BOTH_FUNCTION short __half_as_short(__half x) { return __builtin_bit_cast(short, x.value_); }
COHORT_BOTH_FUNCTION unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x.value_); }
COHORT_BOTH_FUNCTION __half __short_as_half(short x) { return __builtin_bit_cast(_Float16, x); }
COHORT_BOTH_FUNCTION __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
