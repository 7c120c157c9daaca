// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND in kernels: XORWOW, MRG32k3a, MTGP32, Philox4_32_10, Sobol' and scrambled Sobol' states, with uniform, normal,
// log-normal and Poisson numbers.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime.h"
#include "cudart_detail/curand/poisson.h"

#include <cohort/base/user_macros/on.hpp>
