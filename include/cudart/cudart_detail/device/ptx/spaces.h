// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for tests of state spaces in inline PTX.
#pragma once

#include "../address_spaces.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

COHORT_PTX_FUNCTION unsigned int cohort_ptx_is_shared(const void* address) { return __isShared(address); }

#endif
