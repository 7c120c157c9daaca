// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Widens the instructions of a structured kernel in the order of its blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/port_calls.hpp"
#include "gang/widen/control/control.hpp"
#include "gang/widen/memory/accesses.hpp"
#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"
#include "gang/widen/values/phis.hpp"
#include "gang/widen/values/values.hpp"

namespace cohort {

class instruction_widener : widening_part {
 public:
  explicit instruction_widener(widening& state)
      : widening_part(state), control_(state), phis_(state), arithmetic_(state), serial_(state), accesses_(state) {}

  // False: the kernel is refused, and half widened.
  bool run();

 private:
  bool widen_variables();
  bool widen_block(llvm::BasicBlock& block);
  bool widen(llvm::Instruction& instruction, value* mask);
  bool keep_scalar(llvm::Instruction& instruction);

  // calls.cpp
  bool widen_call(llvm::CallInst& call, value* mask);
  bool refuse_warp_call(const llvm::CallInst& call);
  bool widen_intrinsic(llvm::CallInst& call, value* mask);
  bool widen_math(llvm::CallInst& call);  // false: the function has no form for vectors

  // waits.cpp
  enum class presence : uint8_t { all, all_but_returned, some };
  presence presence_at(llvm::BasicBlock* block) const;  // which lanes of the gang run `block` together
  bool only_returns(llvm::BasicBlock* block) const;
  value* in_memory(value* lanes);
  bool widen_wait(llvm::CallInst& call, value* mask);
  bool widen_copies(llvm::CallInst& call, value* mask);

  // mask_proof.cpp: which lanes share the mask of a collective.
  enum class mask_kind {
    unproven,
    here,   // the lanes that execute the collective
    named,  // one mask for all, of which some lane may be missing
    parts   // the lanes that execute the collective, divided by their masks
  };
  struct mask_proof {
    mask_kind kind = mask_kind::unproven;
    value* covers = nullptr;  // a mask that must name the lanes here, else null
    value* unless = nullptr;  // i1: lanes for which it is true need not be named
  };
  void find_waits();
  bool is_meeting_point(const llvm::BasicBlock* block) const;
  bool has_same_lanes(const llvm::Instruction* made, const llvm::BasicBlock* block) const;
  bool names_all(const value* lanes) const;
  mask_proof prove_mask(value* lanes, const llvm::BasicBlock* block) const;
  mask_proof prove_ballot(llvm::CallInst& ballot, const llvm::BasicBlock* block) const;
  mask_proof prove_partition(value* predicate, value* yes, value* no, const llvm::BasicBlock* block) const;

  // collectives.cpp: a rendezvous of lanes of a warp; who takes part.
  struct participants {
    value* lanes = nullptr;  // i32: all that execute the collective
    value* each = nullptr;   // i32 for each lane: those that share its mask; null: `lanes`
  };
  bool widen_rendezvous(llvm::CallInst& call, value* mask);
  std::optional<participants> find_participants(llvm::CallInst& call, value* mask);
  void require_lanes(llvm::CallInst& call, const mask_proof& proof, value* mask);

  // lane_values.cpp: collectives with vector code; permute.cpp.
  bool widen_lane_call(llvm::CallInst& call, lane_call what, value* mask);
  value* tile_lanes(unsigned size);
  value* widen_ballot(llvm::CallInst& call, const participants& all, value* mask);
  value* widen_shuffle(llvm::CallInst& call, const participants& all);
  value* widen_match(llvm::CallInst& call, const participants& all, value* mask);
  value* splat_bits(value* mask);
  value* lane_of(value* scalar, value* lane);
  value* permute(value* vector, value* source);
  value* permute_words(value* vector, value* source);

  llvm::DenseSet<const llvm::BasicBlock*> waits_ahead_;  // blocks from which a wait can be reached
  control_widener control_;
  phi_widener phis_;
  value_widener arithmetic_;
  lane_serializer serial_;
  access_widener accesses_;
};

}  // namespace cohort
