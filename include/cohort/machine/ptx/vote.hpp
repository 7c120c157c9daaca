// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes (PTX ISA, vote.sync).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct vote {
  /// Returns the lanes of `mask` whose predicate is true.
  COHORT_FN static uint32_t ballot(uint32_t mask, bool predicate, const char* /*op_name*/) {
    return __ballot_sync(mask, predicate ? 1 : 0);
  }

  /// Returns true if `condition` holds in all 32 lanes. After a branch on the result ptxas treats the warp as
  /// converged, which it cannot derive from a condition that is merely equal in all lanes.
  /// @pre all lanes of the warp participate
  COHORT_FN static bool all(bool condition) {
    uint32_t all;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "vote.sync.all.pred p, p, 0xffffffff;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(all)
        : "r"(condition ? 1u : 0u));
    return all != 0;
  }
};

}  // namespace ptx
}  // namespace cohort
