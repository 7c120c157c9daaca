// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions that keep the bits and change the type.
#pragma once

#include "macros.h"

COHORT_DEVICE_FUNCTION int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
COHORT_DEVICE_FUNCTION unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
COHORT_DEVICE_FUNCTION float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
COHORT_DEVICE_FUNCTION float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
COHORT_DEVICE_FUNCTION long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
COHORT_DEVICE_FUNCTION double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }

COHORT_DEVICE_FUNCTION int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
COHORT_DEVICE_FUNCTION int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
COHORT_DEVICE_FUNCTION double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 | static_cast<unsigned int>(low)));
}
