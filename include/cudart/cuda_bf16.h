// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper half of a float as a type: __nv_bfloat16 and __nv_bfloat162, for host and device. The header brings half
// precision, as CUDA's does.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include "cudart_detail/bfloat16/arithmetic.h"
#include "cudart_detail/bfloat16/bfloat16.h"
#include "cudart_detail/bfloat16/bfloat162.h"
#include "cudart_detail/bfloat16/conversions.h"
#include "cudart_detail/bfloat16/rounded_conversions.h"

// Device functions
#if defined(__CUDA__)
#include "cudart_detail/bfloat16/mathematics.h"
#include "cudart_detail/bfloat16/warp.h"
#endif

#include <cohort/base/user_macros/on.hpp>
