// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of halves: construction, access to the elements, and the operations of __half on both elements.
#pragma once

#include "../../vector_types.h"
#include "arithmetic.h"
#include "conversions.h"
#include "pair_operations.h"

COHORT_BOTH_FUNCTION __half2 make_half2(__half x, __half y) { return {x, y}; }
COHORT_BOTH_FUNCTION __half2 __halves2half2(__half x, __half y) { return {x, y}; }
COHORT_BOTH_FUNCTION __half2 __half2half2(__half x) { return {x, x}; }
COHORT_BOTH_FUNCTION __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
COHORT_BOTH_FUNCTION __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
COHORT_BOTH_FUNCTION __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
COHORT_BOTH_FUNCTION float2 __half22float2(__half2 v) { return {__half2float(v.x), __half2float(v.y)}; }
COHORT_BOTH_FUNCTION __half __low2half(__half2 v) { return v.x; }
COHORT_BOTH_FUNCTION __half __high2half(__half2 v) { return v.y; }
COHORT_BOTH_FUNCTION float __low2float(__half2 v) { return __half2float(v.x); }
COHORT_BOTH_FUNCTION float __high2float(__half2 v) { return __half2float(v.y); }
COHORT_BOTH_FUNCTION __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
COHORT_BOTH_FUNCTION __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
COHORT_BOTH_FUNCTION __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
COHORT_BOTH_FUNCTION __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
COHORT_BOTH_FUNCTION __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

COHORT_PAIR_OPERATIONS(__half, __half2)
