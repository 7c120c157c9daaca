// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_pipeline_primitives.h"

#include <cohort/base/user_macros/on.hpp>
