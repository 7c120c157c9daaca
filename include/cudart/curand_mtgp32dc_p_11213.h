// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 200 sets of parameters of MTGP32, each with the period 2^11213 - 1.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cudart_detail/curand/mtgp32.h"

static constexpr mtgp32_params_fast_t mtgp32dc_params_fast_11213[CURAND_NUM_MTGP32_PARAMS] = {
#include "cudart_detail/curand/mtgp32_parameters.inc"
};

#include <cohort/base/user_macros/on.hpp>
