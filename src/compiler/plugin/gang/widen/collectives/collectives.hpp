// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp in a gang. All lanes that share the mask execute the collective together (mask_proof.hpp).
#pragma once

#include <optional>

#include "analysis/lane_calls.hpp"
#include "gang/widen/collectives/mask_proof.hpp"
#include "gang/widen/state/widening.hpp"

namespace cohort {

class collective_widener : widening_part {
 public:
  explicit collective_widener(widening& state) : widening_part(state), prover_(state) {}

  // Each function returns false if the kernel is refused. Widens a rendezvous: its resolve function is called at once,
  // once for each distinct mask, the lowest lane's first.
  bool widen_rendezvous(llvm::CallInst& call, value* mask);
  bool widen_converged(llvm::CallInst& call, value* mask);
  // lane_calls.cpp: collectives with vector code. Votes are mask registers, shuffles are permutations.
  bool widen_lane_call(llvm::CallInst& call, lane_call what, value* mask);

 private:
  struct participants {
    value* lanes = nullptr;  // i32: all that execute the collective
    value* masks = nullptr;  // an i32 for each lane, with the lanes that share its mask; null: all of `lanes` share one
  };
  bool is_of_one_warp(const llvm::CallInst& call);
  std::optional<participants> find_participants(llvm::CallInst& call, value* lanes, value* mask);
  void require_lanes(llvm::CallInst& call, const mask_proof& proof, value* mask);

  value* lane_call_result(llvm::CallInst& call, lane_call what, const participants& all, value* mask);
  value* lane_of(value* scalar, value* lane);
  value* in_all_lanes(value* scalar) { return b_.CreateVectorSplat(width_, scalar); }
  value* first_lane(llvm::CallInst& call, value* mask);
  value* permutation(llvm::CallInst& call);
  value* splat_bits(value* mask);
  value* tile_lanes(llvm::CallInst& call);
  value* ballot(llvm::CallInst& call, const participants& all, value* mask);
  value* shuffle(llvm::CallInst& call, const participants& all);
  value* match(llvm::CallInst& call, const participants& all, value* mask);
  value* match_bits(value* words, const llvm::APInt& bits, const participants& all);
  bool put(llvm::CallInst& call);
  value* product(llvm::CallInst& call, const participants& all);
  value* register_at(value* number);

  mask_prover prover_;
  llvm::AllocaInst* registers_ = nullptr;  // a vector for each register of a product's matrices
};

}  // namespace cohort
