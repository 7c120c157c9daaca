// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes: each lane gives one bit and gets the bits of all.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../lane_values.hpp"
#include "../port.hpp"

extern "C" COHORT_DEVICE inline void cohort_resolve_ballot(uint32_t lanes, void* const* operands) {
  using cohort::cpu::for_each_lane;
  using cohort::cpu::operand_of;
  uint32_t result = 0;
  for_each_lane(lanes, [&](uint32_t lane) { result |= operand_of<const uint32_t>(operands, lane) << lane; });
  for_each_lane(lanes, [&](uint32_t lane) { operand_of<uint32_t>(operands, lane) = result; });
}

namespace cohort {
namespace cpu {

struct vote {
  COHORT_FN static uint32_t ballot(uint32_t mask, bool predicate, const char* op_name) {
    uint32_t word = predicate ? 1u : 0u;
    cohort_wait_warp(mask, cohort_resolve_ballot, &word, op_name);
    return word;
  }
};

}  // namespace cpu
}  // namespace cohort
