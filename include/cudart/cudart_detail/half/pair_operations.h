// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of pairs of 16-bit numbers, __half2 and __nv_bfloat162: those of the element type on both elements.
#pragma once

#include "../device/macros.h"

#define COHORT_PAIR_1(pair, name, one) \
  COHORT_BOTH_FUNCTION pair name(pair a) { return {one(a.x), one(a.y)}; }
#define COHORT_PAIR_2(pair, name, one) \
  COHORT_BOTH_FUNCTION pair name(pair a, pair b) { return {one(a.x, b.x), one(a.y, b.y)}; }
#define COHORT_PAIR_3(pair, name, one) \
  COHORT_BOTH_FUNCTION pair name(pair a, pair b, pair c) { return {one(a.x, b.x, c.x), one(a.y, b.y, c.y)}; }
#define COHORT_PAIR_OPERATOR(pair, name, one, symbol)                                            \
  COHORT_PAIR_2(pair, name, one)                                                                 \
  COHORT_BOTH_FUNCTION pair operator symbol(const pair& a, const pair& b) { return name(a, b); } \
  COHORT_BOTH_FUNCTION pair& operator symbol##=(pair & a, const pair & b) { return a = name(a, b); }

// a * b + c of complex numbers whose real part is x.
#define COHORT_PAIR_COMPLEX(pair)                                  \
  COHORT_BOTH_FUNCTION pair __hcmadd(pair a, pair b, pair c) {     \
    const auto real = __hfma(a.x, b.x, c.x);                       \
    const auto imaginary = __hfma(a.x, b.y, c.y);                  \
    return {__hfma(-a.y, b.y, real), __hfma(a.y, b.x, imaginary)}; \
  }

// Comparisons with a result of 1 or 0 for each element, of all bits for each element, or of one bool for both.
#define COHORT_PAIR_COMPARE_ONE(element, pair, name)                                            \
  COHORT_BOTH_FUNCTION pair __h##name##2(pair a, pair b) {                                      \
    return {element(__h##name(a.x, b.x) ? 1 : 0), element(__h##name(a.y, b.y) ? 1 : 0)};        \
  }                                                                                             \
  COHORT_BOTH_FUNCTION unsigned int __h##name##2_mask(pair a, pair b) {                         \
    return (__h##name(a.x, b.x) ? 0x0000ffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
  }                                                                                             \
  COHORT_BOTH_FUNCTION bool __hb##name##2(pair a, pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
#define COHORT_PAIR_COMPARE(element, pair, name, symbol, bool_name) \
  COHORT_PAIR_COMPARE_ONE(element, pair, name)                      \
  COHORT_PAIR_COMPARE_ONE(element, pair, name##u)                   \
  COHORT_BOTH_FUNCTION bool operator symbol(const pair& a, const pair& b) { return bool_name(a, b); }

#define COHORT_PAIR_OPERATIONS(element, pair)                                \
  COHORT_PAIR_OPERATOR(pair, __hadd2, __hadd, +)                             \
  COHORT_PAIR_OPERATOR(pair, __hsub2, __hsub, -)                             \
  COHORT_PAIR_OPERATOR(pair, __hmul2, __hmul, *)                             \
  COHORT_PAIR_OPERATOR(pair, __h2div, __hdiv, /)                             \
  COHORT_PAIR_2(pair, __hadd2_rn, __hadd)                                    \
  COHORT_PAIR_2(pair, __hsub2_rn, __hsub)                                    \
  COHORT_PAIR_2(pair, __hmul2_rn, __hmul)                                    \
  COHORT_PAIR_2(pair, __hadd2_sat, __hadd_sat)                               \
  COHORT_PAIR_2(pair, __hsub2_sat, __hsub_sat)                               \
  COHORT_PAIR_2(pair, __hmul2_sat, __hmul_sat)                               \
  COHORT_PAIR_3(pair, __hfma2, __hfma)                                       \
  COHORT_PAIR_3(pair, __hfma2_sat, __hfma_sat)                               \
  COHORT_PAIR_3(pair, __hfma2_relu, __hfma_relu)                             \
  COHORT_PAIR_COMPLEX(pair)                                                  \
  COHORT_PAIR_1(pair, __hneg2, __hneg)                                       \
  COHORT_PAIR_1(pair, __habs2, __habs)                                       \
  COHORT_PAIR_2(pair, __hmin2, __hmin)                                       \
  COHORT_PAIR_2(pair, __hmax2, __hmax)                                       \
  COHORT_PAIR_2(pair, __hmin2_nan, __hmin_nan)                               \
  COHORT_PAIR_2(pair, __hmax2_nan, __hmax_nan)                               \
  COHORT_BOTH_FUNCTION pair operator-(const pair& a) { return __hneg2(a); }  \
  COHORT_BOTH_FUNCTION pair operator+(const pair& a) { return a; }           \
  COHORT_PAIR_COMPARE(element, pair, eq, ==, __hbeq2)                        \
  COHORT_PAIR_COMPARE(element, pair, ne, !=, __hbneu2)                       \
  COHORT_PAIR_COMPARE(element, pair, lt, <, __hblt2)                         \
  COHORT_PAIR_COMPARE(element, pair, le, <=, __hble2)                        \
  COHORT_PAIR_COMPARE(element, pair, gt, >, __hbgt2)                         \
  COHORT_PAIR_COMPARE(element, pair, ge, >=, __hbge2)                        \
  COHORT_BOTH_FUNCTION pair __hisnan2(pair a) {                              \
    return {element(__hisnan(a.x) ? 1 : 0), element(__hisnan(a.y) ? 1 : 0)}; \
  }
