// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/state/warp.hpp"

namespace cohort::engine {

// Withdraws `self`, the running lane, which has returned from the kernel: barriers and rendezvous no longer count it,
// and those that waited only for it complete. Returns the lane to run next, or null.
lane* withdraw(lane* self);

}  // namespace cohort::engine
