// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles and atomic additions of __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include "../half/warp_operations.h"
#include "arithmetic.h"
#include "bfloat162.h"

COHORT_SIXTEEN_BIT_WARP(__nv_bfloat16, __nv_bfloat162)
