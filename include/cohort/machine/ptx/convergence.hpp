// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of the warp that execute together (PTX ISA, activemask).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct convergence {
  /// Lanes that execute this instruction together with the caller.
  COHORT_FN static uint32_t active_lanes() {
    uint32_t lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes;
  }

  /// True if all 32 lanes execute together. The result is the same in all active lanes.
  COHORT_FN static bool is_warp_converged() { return active_lanes() == 0xffffffffu; }
};

}  // namespace ptx
}  // namespace cohort
