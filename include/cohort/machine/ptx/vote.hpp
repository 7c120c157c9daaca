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

  // The condition of a whole warp, as its lanes have it together: after a branch on it the assembler knows that they
  // did not part. pre: all lanes of the warp take part, with the same condition
  COHORT_FN static bool of_warp(bool condition) {
    uint32_t holds;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "vote.sync.any.pred p, p, 0xffffffff;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(holds)
        : "r"(condition ? 1u : 0u));
    return holds != 0;
  }
};

}  // namespace ptx
}  // namespace cohort
