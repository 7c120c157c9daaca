// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of bfloat16: construction, access to the elements, and the operations of __nv_bfloat16 on both elements.
#pragma once

#include "../../vector_types.h"
#include "../half/pair_operations.h"
#include "arithmetic.h"
#include "conversions.h"

COHORT_BOTH_FUNCTION __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
COHORT_BOTH_FUNCTION __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
COHORT_BOTH_FUNCTION float2 __bfloat1622float2(__nv_bfloat162 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
COHORT_BOTH_FUNCTION __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
COHORT_BOTH_FUNCTION float __low2float(__nv_bfloat162 v) { return v.x; }
COHORT_BOTH_FUNCTION float __high2float(__nv_bfloat162 v) { return v.y; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
COHORT_BOTH_FUNCTION __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

COHORT_PAIR_OPERATIONS(__nv_bfloat16, __nv_bfloat162)
