// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision: __half and __half2, for host and device.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime.h"

#include "cudart_detail/half/arithmetic.h"
#include "cudart_detail/half/conversions.h"
#include "cudart_detail/half/half.h"
#include "cudart_detail/half/half2.h"
#include "cudart_detail/half/rounded_conversions.h"

// Device functions
#if defined(__CUDA__)
#include "cudart_detail/half/mathematics.h"
#include "cudart_detail/half/warp.h"
#endif

#include <cohort/base/user_macros/on.hpp>
