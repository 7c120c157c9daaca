// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision: __half and __half2, for host and device.
#pragma once

#include "cuda_runtime.h"

#include "half/arithmetic.h"
#include "half/conversions.h"
#include "half/half.h"
#include "half/half2.h"
#include "half/mathematics.h"
#include "half/warp.h"
