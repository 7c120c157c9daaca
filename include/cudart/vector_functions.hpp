// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's second name for vector_functions.h.
#pragma once

#include <cohort/base/user_macros/off.hpp>
#include "vector_functions.h"

#include <cohort/base/user_macros/on.hpp>
