// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/state/warp.hpp"

namespace cohort::engine {

// `self`, the running lane, has returned from the kernel: no barrier and no rendezvous counts it any more, and those
// that waited for it alone are completed. Returns the lane to run next, or null.
lane* withdraw(lane* self);

}  // namespace cohort::engine
