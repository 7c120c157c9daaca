// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's header of atomic functions. Cohort's device library is one header.
#pragma once

#include <cohort/base/user_macros/off.hpp>
#include "cudart_detail/device/library.h"

#include <cohort/base/user_macros/on.hpp>
