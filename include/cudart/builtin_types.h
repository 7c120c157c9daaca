// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All types of the runtime API.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "driver_types.h"
#include "vector_types.h"

#include <cohort/base/user_macros/on.hpp>
