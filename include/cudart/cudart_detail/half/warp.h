// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles and atomic additions of __half and __half2.
#pragma once

#include "arithmetic.h"
#include "half2.h"
#include "warp_operations.h"

COHORT_SIXTEEN_BIT_WARP(__half, __half2)
