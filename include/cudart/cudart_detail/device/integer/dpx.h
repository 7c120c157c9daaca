// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions for dynamic programming (DPX): a sum and an extreme, the extreme of three, an extreme that says which
// operand it is; of a word, or of its two halves. Sums wrap around. A name with _relu gives no less than 0.
#pragma once

#include "../macros.h"

// A half of a word, and the word of two.
template <class Half>
COHORT_BOTH_FUNCTION Half cohort_half(unsigned int word, int number) {
  return static_cast<Half>(word >> 16 * number);
}
template <class Half>
COHORT_BOTH_FUNCTION unsigned int cohort_halves(Half low, Half high) {
  return static_cast<unsigned int>(static_cast<unsigned short>(high)) << 16 | static_cast<unsigned short>(low);
}
template <class Word>
COHORT_BOTH_FUNCTION Word cohort_wrapped_sum(Word a, Word b) {
  return static_cast<Word>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}
template <class Word>
COHORT_BOTH_FUNCTION Word cohort_larger(Word a, Word b) {
  return a > b ? a : b;
}
template <class Word>
COHORT_BOTH_FUNCTION Word cohort_smaller(Word a, Word b) {
  return a < b ? a : b;
}

// A function of words, and one of halves.
#define COHORT_DPX_WORD(name, word, expression) \
  COHORT_BOTH_FUNCTION word name(const word a, const word b, const word c) { return (expression); }
#define COHORT_DPX_HALVES(name, half, expression)                                                            \
  COHORT_BOTH_FUNCTION half cohort_half##name(half a, half b, half c) { return (expression); }               \
  COHORT_BOTH_FUNCTION unsigned int name(const unsigned int a, const unsigned int b, const unsigned int c) { \
    return cohort_halves<half>(                                                                              \
        cohort_half##name(cohort_half<half>(a, 0), cohort_half<half>(b, 0), cohort_half<half>(c, 0)),        \
        cohort_half##name(cohort_half<half>(a, 1), cohort_half<half>(b, 1), cohort_half<half>(c, 1)));       \
  }
#define COHORT_DPX(name, expression)                                                                   \
  COHORT_DPX_WORD(name##_s32, int, expression)                                                         \
  COHORT_DPX_WORD(name##_s32_relu, int, cohort_larger<int>(expression, 0))                             \
  COHORT_DPX_WORD(name##_u32, unsigned int, expression)                                                \
  COHORT_DPX_HALVES(name##_s16x2, short, expression)                                                   \
  COHORT_DPX_HALVES(name##_s16x2_relu, short, cohort_larger<short>(expression, static_cast<short>(0))) \
  COHORT_DPX_HALVES(name##_u16x2, unsigned short, expression)

COHORT_DPX(__viaddmax, cohort_larger(cohort_wrapped_sum(a, b), c))
COHORT_DPX(__viaddmin, cohort_smaller(cohort_wrapped_sum(a, b), c))
COHORT_DPX(__vimax3, cohort_larger(cohort_larger(a, b), c))
COHORT_DPX(__vimin3, cohort_smaller(cohort_smaller(a, b), c))

// The larger or the smaller of two, at least 0.
#define COHORT_DPX_RELU(name, of_three)                                                                       \
  COHORT_BOTH_FUNCTION int name##_s32_relu(const int a, const int b) { return of_three##_s32_relu(a, b, b); } \
  COHORT_BOTH_FUNCTION unsigned int name##_s16x2_relu(const unsigned int a, const unsigned int b) {           \
    return of_three##_s16x2_relu(a, b, b);                                                                    \
  }
COHORT_DPX_RELU(__vimax, __vimax3)
COHORT_DPX_RELU(__vimin, __vimin3)

// The larger or the smaller of two. The predicate is true if the result is `a`, or if both are equal.
#define COHORT_DPX_CHOICE_WORD(name, word, compare)                              \
  COHORT_BOTH_FUNCTION word name(const word a, const word b, bool* const pred) { \
    *pred = a compare b;                                                         \
    return *pred ? a : b;                                                        \
  }
#define COHORT_DPX_CHOICE_HALVES(name, half, compare)                                                           \
  COHORT_BOTH_FUNCTION unsigned int name(const unsigned int a, const unsigned int b, bool* const pred_hi,       \
                                         bool* const pred_lo) {                                                 \
    *pred_hi = cohort_half<half>(a, 1) compare cohort_half<half>(b, 1);                                         \
    *pred_lo = cohort_half<half>(a, 0) compare cohort_half<half>(b, 0);                                         \
    return cohort_halves<half>(cohort_half<half>(*pred_lo ? a : b, 0), cohort_half<half>(*pred_hi ? a : b, 1)); \
  }
#define COHORT_DPX_CHOICE(name, compare)                    \
  COHORT_DPX_CHOICE_WORD(name##_s32, int, compare)          \
  COHORT_DPX_CHOICE_WORD(name##_u32, unsigned int, compare) \
  COHORT_DPX_CHOICE_HALVES(name##_s16x2, short, compare)    \
  COHORT_DPX_CHOICE_HALVES(name##_u16x2, unsigned short, compare)
COHORT_DPX_CHOICE(__vibmax, >=)
COHORT_DPX_CHOICE(__vibmin, <=)

#undef COHORT_DPX
#undef COHORT_DPX_WORD
#undef COHORT_DPX_HALVES
#undef COHORT_DPX_RELU
#undef COHORT_DPX_CHOICE
#undef COHORT_DPX_CHOICE_WORD
#undef COHORT_DPX_CHOICE_HALVES
