// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's header of barriers, fences and the integer and warp intrinsics. Cohort's device library is one header.
#pragma once

#include <cohort/base/user_macros/off.hpp>
#include "cudart_detail/device/library.h"

#include <cohort/base/user_macros/on.hpp>
