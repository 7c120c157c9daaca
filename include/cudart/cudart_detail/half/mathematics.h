// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions of __half and __half2.
#pragma once

#include "float_functions.h"
#include "half2.h"

COHORT_FLOAT_FUNCTIONS(__half, __half2)
