// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles and atomic additions of __half and __half2.
#pragma once

#include "../device/shuffles.h"
#include "arithmetic.h"
#include "half2.h"

#define COHORT_HALF_SHUFFLE(name, argument)                                                                        \
  COHORT_DEVICE_FUNCTION __half name(unsigned int mask, __half value, argument lane, int width = 32) {             \
    return __ushort_as_half(                                                                                       \
        static_cast<unsigned short>(name(mask, static_cast<unsigned int>(__half_as_ushort(value)), lane, width))); \
  }                                                                                                                \
  COHORT_DEVICE_FUNCTION __half2 name(unsigned int mask, __half2 value, argument lane, int width = 32) {           \
    return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned int, value), lane, width));          \
  }

COHORT_HALF_SHUFFLE(__shfl_sync, int)
COHORT_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
COHORT_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
COHORT_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef COHORT_HALF_SHUFFLE

COHORT_DEVICE_FUNCTION __half atomicAdd(__half* address, __half value) {
  typedef unsigned short __attribute__((may_alias)) word;
  word* bits = reinterpret_cast<word*>(address);
  unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(bits, &old, __half_as_ushort(__hadd(__ushort_as_half(old), value)), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return __ushort_as_half(old);
}
// Each element is atomic, the pair is not.
COHORT_DEVICE_FUNCTION __half2 atomicAdd(__half2* address, __half2 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
