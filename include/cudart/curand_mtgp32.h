// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states and parameters of MTGP32.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime.h"
#include "cudart_detail/curand/mtgp32.h"

#include <cohort/base/user_macros/on.hpp>
