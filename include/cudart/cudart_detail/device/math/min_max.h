// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min and max of the global namespace, for host and device, in CUDA's list of overloads. Two arguments of one width and
// mixed sign compare as unsigned; float with double compares as double. With one NaN, the result is the number.
#pragma once

#include "../macros.h"

#define COHORT_MIN_MAX(type, a, b)                                                                    \
  COHORT_BOTH_FUNCTION type min(a x, b y) {                                                           \
    return static_cast<type>(x) < static_cast<type>(y) ? static_cast<type>(x) : static_cast<type>(y); \
  }                                                                                                   \
  COHORT_BOTH_FUNCTION type max(a x, b y) {                                                           \
    return static_cast<type>(x) > static_cast<type>(y) ? static_cast<type>(x) : static_cast<type>(y); \
  }

#define COHORT_MIN_MAX_MIXED(type)                            \
  COHORT_MIN_MAX(type, type, type)                            \
  COHORT_MIN_MAX(unsigned type, unsigned type, unsigned type) \
  COHORT_MIN_MAX(unsigned type, type, unsigned type)          \
  COHORT_MIN_MAX(unsigned type, unsigned type, type)

COHORT_MIN_MAX_MIXED(int)
COHORT_MIN_MAX_MIXED(long)
COHORT_MIN_MAX_MIXED(long long)
#undef COHORT_MIN_MAX
#undef COHORT_MIN_MAX_MIXED

#define COHORT_MIN_MAX(type, a, b, builtin_min, builtin_max)            \
  COHORT_BOTH_FUNCTION type min(a x, b y) { return builtin_min(x, y); } \
  COHORT_BOTH_FUNCTION type max(a x, b y) { return builtin_max(x, y); }

COHORT_MIN_MAX(float, float, float, __builtin_fminf, __builtin_fmaxf)
COHORT_MIN_MAX(double, double, double, __builtin_fmin, __builtin_fmax)
COHORT_MIN_MAX(double, float, double, __builtin_fmin, __builtin_fmax)
COHORT_MIN_MAX(double, double, float, __builtin_fmin, __builtin_fmax)
#undef COHORT_MIN_MAX

COHORT_BOTH_FUNCTION unsigned int umin(unsigned int x, unsigned int y) { return min(x, y); }
COHORT_BOTH_FUNCTION unsigned int umax(unsigned int x, unsigned int y) { return max(x, y); }
COHORT_BOTH_FUNCTION long long llmin(long long x, long long y) { return min(x, y); }
COHORT_BOTH_FUNCTION long long llmax(long long x, long long y) { return max(x, y); }
COHORT_BOTH_FUNCTION unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
COHORT_BOTH_FUNCTION unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }
