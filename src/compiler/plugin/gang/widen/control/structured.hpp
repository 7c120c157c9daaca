// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "gang/widen/state/widening.hpp"

namespace cohort {

// True if each divergent branch skips one region, or ends a loop of one exit at its latch. Otherwise the kernel is
// refused.
bool is_structured(widening& state);

}  // namespace cohort
