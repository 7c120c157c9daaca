// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's second name for cuda_fp6.h.
#pragma once

#include <cohort/base/user_macros/off.hpp>
#include "cuda_fp6.h"

#include <cohort/base/user_macros/on.hpp>
