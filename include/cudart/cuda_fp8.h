// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point numbers of eight bits: E4M3, E5M2 and the scales E8M0, single, in pairs and in fours, for host and
// device.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include "cudart_detail/float8/conversions.h"
#include "cudart_detail/float8/float8.h"
#include "cudart_detail/float8/scale.h"

#include <cohort/base/user_macros/on.hpp>
