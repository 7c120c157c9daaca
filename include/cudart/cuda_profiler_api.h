// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaProfilerStart and cudaProfilerStop.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime_api.h"

#include <cohort/base/user_macros/on.hpp>
