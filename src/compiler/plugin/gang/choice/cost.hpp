// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates whether a kernel runs faster as gangs than as a loop over its threads, and how wide a gang should be.
#pragma once

#include "gang/shape/shapes.hpp"
#include "gang/target/vector_target.hpp"

namespace llvm {
class ScalarEvolution;
}  // namespace llvm

namespace cohort {

// In instructions, weighted by the depth of loops.
struct gang_cost {
  double gang = 0;            // of all lanes at once
  double thread = 0;          // of the lanes one by one
  unsigned live_vectors = 0;  // 32-bit values of each lane that a loop keeps
  bool lane_by_lane = false;  // some instruction scatters, or runs for one lane after another
};

gang_cost estimate(llvm::Function& structured, const shape_analysis& shapes, const lane_costs& costs,
                   llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace cohort
