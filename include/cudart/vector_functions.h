// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// make_int2(x, y) and similar functions: one for each vector type, on host and device.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "vector_types.h"

#define COHORT_MAKE static inline COHORT_VECTOR_HOST_DEVICE

#define COHORT_MAKE_VECTORS(name, element)                              \
  COHORT_MAKE name##1 make_##name##1(element x) {                       \
    name##1 v = {x};                                                    \
    return v;                                                           \
  }                                                                     \
  COHORT_MAKE name##2 make_##name##2(element x, element y) {            \
    name##2 v = {x, y};                                                 \
    return v;                                                           \
  }                                                                     \
  COHORT_MAKE name##3 make_##name##3(element x, element y, element z) { \
    name##3 v = {x, y, z};                                              \
    return v;                                                           \
  }                                                                     \
  COHORT_MAKE_VECTOR4(name##4, element)

#define COHORT_MAKE_VECTOR4(name, element)                                   \
  COHORT_MAKE name make_##name(element x, element y, element z, element w) { \
    name v = {x, y, z, w};                                                   \
    return v;                                                                \
  }

COHORT_MAKE_VECTORS(char, signed char)
COHORT_MAKE_VECTORS(uchar, unsigned char)
COHORT_MAKE_VECTORS(short, short)
COHORT_MAKE_VECTORS(ushort, unsigned short)
COHORT_MAKE_VECTORS(int, int)
COHORT_MAKE_VECTORS(uint, unsigned int)
COHORT_MAKE_VECTORS(long, long)
COHORT_MAKE_VECTORS(ulong, unsigned long)
COHORT_MAKE_VECTORS(longlong, long long)
COHORT_MAKE_VECTORS(ulonglong, unsigned long long)
COHORT_MAKE_VECTORS(float, float)
COHORT_MAKE_VECTORS(double, double)
COHORT_MAKE_VECTOR4(long4_16a, long)
COHORT_MAKE_VECTOR4(long4_32a, long)
COHORT_MAKE_VECTOR4(ulong4_16a, unsigned long)
COHORT_MAKE_VECTOR4(ulong4_32a, unsigned long)
COHORT_MAKE_VECTOR4(longlong4_16a, long long)
COHORT_MAKE_VECTOR4(longlong4_32a, long long)
COHORT_MAKE_VECTOR4(ulonglong4_16a, unsigned long long)
COHORT_MAKE_VECTOR4(ulonglong4_32a, unsigned long long)
COHORT_MAKE_VECTOR4(double4_16a, double)
COHORT_MAKE_VECTOR4(double4_32a, double)

#undef COHORT_MAKE_VECTORS
#undef COHORT_MAKE_VECTOR4
#undef COHORT_MAKE

#include <cohort/base/user_macros/on.hpp>
