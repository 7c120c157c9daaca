// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a structured kernel for one thread into one for the lanes of a gang, in place. A varying value gets a vector
// with an element for each lane; a uniform or linear value stays a scalar.
#pragma once

#include <optional>
#include <string>

#include "gang/widen/state/widening.hpp"

namespace cohort {

class widener {
 public:
  widener(llvm::Function& function, const gang_lanes& lanes, const shape_analysis& shapes, llvm::LoopInfo& loops,
          llvm::DominatorTree& dominators, llvm::PostDominatorTree& postdominators)
      : state_(function, lanes, shapes, loops, dominators, postdominators) {}

  // Why the kernel has no such form, else empty. On a refusal the function is left half widened.
  std::optional<std::string> run();
  const widening_notes& notes() const { return state_.notes; }

 private:
  widening state_;
};

}  // namespace cohort
