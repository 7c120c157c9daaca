// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of collectives. On a thread's own stack a lane waits for each lane of its mask that has not returned. In a gang
// no lane waits, so the collective must be complete wherever it stands: the lanes that execute it together are all that
// share its mask. Where that is not proved, the kernel keeps a stack for each thread.
#pragma once

#include "gang/widen/state/widening.hpp"

#include "llvm/ADT/DenseSet.h"

namespace cohort {

enum class mask_kind : uint8_t {
  unproven,
  active,    // the lanes that execute the collective
  uniform,   // one mask for all lanes, of which some lane may be missing
  partition  // the lanes that execute the collective, divided by their masks
};

struct mask_proof {
  mask_kind kind = mask_kind::unproven;
  llvm::Value* required = nullptr;  // a mask that must name the lanes that execute the collective, else null
  llvm::Value* exempt = nullptr;    // i1: lanes for which it is true need not be named
};

class mask_prover : widening_part {
 public:
  explicit mask_prover(widening& state);

  // Finds which lanes share the mask `lanes` of a collective in `block`.
  mask_proof prove(value* lanes, const llvm::BasicBlock* block) const;

 private:
  bool no_other_lane_waits(const llvm::BasicBlock* block) const;
  bool has_same_lanes(const llvm::Instruction* made, const llvm::BasicBlock* block) const;
  mask_proof prove_call(llvm::CallInst& call, const llvm::BasicBlock* block) const;
  mask_proof prove_ballot(llvm::CallInst& ballot, const llvm::BasicBlock* block) const;
  mask_proof prove_partition(value* predicate, value* yes, value* no, const llvm::BasicBlock* block) const;

  llvm::DenseSet<const llvm::BasicBlock*> reaches_wait_;  // blocks from which a wait can be reached
};

}  // namespace cohort
