// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions of __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include "../half/float_functions.h"
#include "bfloat162.h"

COHORT_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
