// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of the block and of larger groups. All lanes of a gang that have not returned stand at a barrier together,
// so one call serves them. A lane is missing from its mask only if it does nothing more before it returns.
// Asynchronous copies are one call, too; any lane may be missing from its mask. A loop that polls memory suspends the
// gang in each iteration, if the other lanes could do nothing meanwhile.
#pragma once

#include "analysis/port_calls.hpp"
#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"

namespace cohort {

class wait_widener : widening_part {
 public:
  explicit wait_widener(widening& state) : widening_part(state), serial_(state) {}

  // widen_wait() widens barriers and votes, widen_copies() asynchronous copies. False: the kernel is refused.
  bool widen_wait(llvm::CallInst& call, value* mask);
  bool widen_copies(llvm::CallInst& call, value* mask);
  bool widen_yield(llvm::CallInst& call, value* mask);

 private:
  using arguments = llvm::SmallVector<value*, 5>;
  bool append_operands(llvm::CallInst& call, value* mask, arguments& result);
  value* in_memory(value* lanes);

  lane_serializer serial_;
};

}  // namespace cohort
