// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "gang/widen/state/widening.hpp"

namespace cohort {

enum class lane_presence : uint8_t {
  all,
  all_but_returned,  // missing lanes have returned, or do nothing more
  some
};

// Finds which lanes of the gang run `block` together.
lane_presence presence_at(const widening& state, const llvm::BasicBlock* block);

// True if the lanes of the gang that run `block` may wait there for threads outside of the gang: no other lane has an
// effect before it returns, or waits at a barrier that needs all of the block's threads.
bool others_stand_still(const widening& state, const llvm::BasicBlock* block);

}  // namespace cohort
