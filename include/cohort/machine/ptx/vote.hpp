// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes (PTX ISA, vote.sync).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct vote {
  COHORT_FN static uint32_t ballot(uint32_t mask, bool predicate, const char* /*what*/) {
    uint32_t lanes;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "vote.sync.ballot.b32 %0, p, %2;\n\t}"
        : "=r"(lanes)
        : "r"(predicate ? 1u : 0u), "r"(mask));
    return lanes;
  }
};

}  // namespace ptx
}  // namespace cohort
