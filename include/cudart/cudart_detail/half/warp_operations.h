// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles and atomic additions of 16-bit numbers and their pairs.
#pragma once

#include "../device/shuffles.h"

#define COHORT_SIXTEEN_BIT_SHUFFLE(element, pair, name, argument)                                        \
  COHORT_DEVICE_FUNCTION element name(unsigned int mask, element value, argument lane, int width = 32) { \
    const unsigned int bits = __builtin_bit_cast(unsigned short, value);                                 \
    return __builtin_bit_cast(element, static_cast<unsigned short>(name(mask, bits, lane, width)));      \
  }                                                                                                      \
  COHORT_DEVICE_FUNCTION pair name(unsigned int mask, pair value, argument lane, int width = 32) {       \
    return __builtin_bit_cast(pair, name(mask, __builtin_bit_cast(unsigned int, value), lane, width));   \
  }

// Each element of a pair is added atomically, the pair is not.
#define COHORT_SIXTEEN_BIT_WARP(element, pair)                                                                 \
  COHORT_SIXTEEN_BIT_SHUFFLE(element, pair, __shfl_sync, int)                                                  \
  COHORT_SIXTEEN_BIT_SHUFFLE(element, pair, __shfl_up_sync, unsigned int)                                      \
  COHORT_SIXTEEN_BIT_SHUFFLE(element, pair, __shfl_down_sync, unsigned int)                                    \
  COHORT_SIXTEEN_BIT_SHUFFLE(element, pair, __shfl_xor_sync, int)                                              \
  COHORT_DEVICE_FUNCTION element atomicAdd(element* address, element value) {                                  \
    typedef unsigned short __attribute__((may_alias)) word;                                                    \
    word* bits = reinterpret_cast<word*>(address);                                                             \
    unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED);                                              \
    while (!__atomic_compare_exchange_n(                                                                       \
        bits, &old, __builtin_bit_cast(unsigned short, __hadd(__builtin_bit_cast(element, old), value)), true, \
        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {                                                                 \
    }                                                                                                          \
    return __builtin_bit_cast(element, old);                                                                   \
  }                                                                                                            \
  COHORT_DEVICE_FUNCTION pair atomicAdd(pair* address, pair value) {                                           \
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};                                 \
  }
