// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two 16-bit or four 8-bit integers in a word: __vadd2, __vcmpgts4 and similar functions.
#pragma once

#include "../macros.h"

// Applies `operation` to each element of a and b, sign- or zero-extended; packs the low bits of the results.
template <int Bits, bool Signed, class Operation>
COHORT_DEVICE_FUNCTION unsigned int cohort_each_element(unsigned int a, unsigned int b, Operation operation) {
  unsigned int result = 0;
  for (int at = 0; at < 32; at += Bits) {
    const unsigned int mask = (1u << Bits) - 1u;
    int x = static_cast<int>(a >> at & mask), y = static_cast<int>(b >> at & mask);
    if (Signed) {
      x = static_cast<int>(static_cast<unsigned int>(x) << (32 - Bits)) >> (32 - Bits);
      y = static_cast<int>(static_cast<unsigned int>(y) << (32 - Bits)) >> (32 - Bits);
    }
    result |= (static_cast<unsigned int>(operation(x, y)) & mask) << at;
  }
  return result;
}

template <int Bits, bool Signed>
COHORT_DEVICE_FUNCTION int cohort_saturate(int x) {
  const int highest = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  const int lowest = Signed ? -highest - 1 : 0;
  return x < lowest ? lowest : x > highest ? highest : x;
}

template <int Bits, bool Signed>
COHORT_DEVICE_FUNCTION unsigned int cohort_sum_of_differences(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  cohort_each_element<Bits, Signed>(a, b, [&sum] __attribute__((device)) (int x, int y) {
    sum += static_cast<unsigned int>(x > y ? x - y : y - x);
    return 0;
  });
  return sum;
}

#define COHORT_ELEMENTS_2(name, bits, is_signed, expression)                                    \
  COHORT_DEVICE_FUNCTION unsigned int name(unsigned int a, unsigned int b) {                    \
    return cohort_each_element<bits, is_signed>(                                                \
        a, b, [] __attribute__((device, always_inline)) (int x, int y) { return expression; }); \
  }
#define COHORT_ELEMENTS_1(name, bits, is_signed, expression)                                   \
  COHORT_DEVICE_FUNCTION unsigned int name(unsigned int a) {                                   \
    return cohort_each_element<bits, is_signed>(                                               \
        a, 0u, [] __attribute__((device, always_inline)) (int x, int) { return expression; }); \
  }

// A comparison fills an element with ones (cmp) or sets its lowest bit (set).
#define COHORT_ELEMENTS_COMPARE(name, count, bits, is_signed, comparison)          \
  COHORT_ELEMENTS_2(__vcmp##name##count, bits, is_signed, x comparison y ? -1 : 0) \
  COHORT_ELEMENTS_2(__vset##name##count, bits, is_signed, x comparison y ? 1 : 0)

#define COHORT_ELEMENTS(count, bits)                                                            \
  COHORT_ELEMENTS_2(__vadd##count, bits, false, x + y)                                          \
  COHORT_ELEMENTS_2(__vsub##count, bits, false, x - y)                                          \
  COHORT_ELEMENTS_2(__vaddss##count, bits, true, (cohort_saturate<bits, true>(x + y)))          \
  COHORT_ELEMENTS_2(__vaddus##count, bits, false, (cohort_saturate<bits, false>(x + y)))        \
  COHORT_ELEMENTS_2(__vsubss##count, bits, true, (cohort_saturate<bits, true>(x - y)))          \
  COHORT_ELEMENTS_2(__vsubus##count, bits, false, (cohort_saturate<bits, false>(x - y)))        \
  COHORT_ELEMENTS_1(__vneg##count, bits, true, -x)                                              \
  COHORT_ELEMENTS_1(__vnegss##count, bits, true, (cohort_saturate<bits, true>(-x)))             \
  COHORT_ELEMENTS_1(__vabs##count, bits, true, x < 0 ? -x : x)                                  \
  COHORT_ELEMENTS_1(__vabsss##count, bits, true, (cohort_saturate<bits, true>(x < 0 ? -x : x))) \
  COHORT_ELEMENTS_2(__vabsdiffs##count, bits, true, x > y ? x - y : y - x)                      \
  COHORT_ELEMENTS_2(__vabsdiffu##count, bits, false, x > y ? x - y : y - x)                     \
  COHORT_ELEMENTS_2(__vhaddu##count, bits, false, (x + y) >> 1)                                 \
  COHORT_ELEMENTS_2(__vavgu##count, bits, false, (x + y + 1) >> 1)                              \
  /* Halves are rounded away from zero. */                                                      \
  COHORT_ELEMENTS_2(__vavgs##count, bits, true, (x + y + (x + y >= 0)) >> 1)                    \
  COHORT_ELEMENTS_2(__vmaxs##count, bits, true, x > y ? x : y)                                  \
  COHORT_ELEMENTS_2(__vmaxu##count, bits, false, x > y ? x : y)                                 \
  COHORT_ELEMENTS_2(__vmins##count, bits, true, x < y ? x : y)                                  \
  COHORT_ELEMENTS_2(__vminu##count, bits, false, x < y ? x : y)                                 \
  COHORT_ELEMENTS_COMPARE(eq, count, bits, false, ==)                                           \
  COHORT_ELEMENTS_COMPARE(ne, count, bits, false, !=)                                           \
  COHORT_ELEMENTS_COMPARE(ges, count, bits, true, >=)                                           \
  COHORT_ELEMENTS_COMPARE(geu, count, bits, false, >=)                                          \
  COHORT_ELEMENTS_COMPARE(gts, count, bits, true, >)                                            \
  COHORT_ELEMENTS_COMPARE(gtu, count, bits, false, >)                                           \
  COHORT_ELEMENTS_COMPARE(les, count, bits, true, <=)                                           \
  COHORT_ELEMENTS_COMPARE(leu, count, bits, false, <=)                                          \
  COHORT_ELEMENTS_COMPARE(lts, count, bits, true, <)                                            \
  COHORT_ELEMENTS_COMPARE(ltu, count, bits, false, <)                                           \
  COHORT_DEVICE_FUNCTION unsigned int __vsads##count(unsigned int a, unsigned int b) {          \
    return cohort_sum_of_differences<bits, true>(a, b);                                         \
  }                                                                                             \
  COHORT_DEVICE_FUNCTION unsigned int __vsadu##count(unsigned int a, unsigned int b) {          \
    return cohort_sum_of_differences<bits, false>(a, b);                                        \
  }

COHORT_ELEMENTS(2, 16)
COHORT_ELEMENTS(4, 8)

#undef COHORT_ELEMENTS
#undef COHORT_ELEMENTS_1
#undef COHORT_ELEMENTS_2
#undef COHORT_ELEMENTS_COMPARE
