// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/collectives/mask_proof.hpp"

#include "analysis/lane_calls.hpp"
#include "analysis/port_calls.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

using namespace llvm::PatternMatch;

// Skips freezes, and phis of one operand, which loops have at their exits.
llvm::Value* without_phis(llvm::Value* value) {
  for (;;) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
    if (phi && phi->getNumIncomingValues() == 1) {
      value = phi->getIncomingValue(0);
    } else if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value)) {
      value = freeze->getOperand(0);
    } else {
      return value;
    }
  }
}

llvm::CallInst* as_lane_call(llvm::Value* value, lane_call what) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && lane_call_of(*call) == what ? call : nullptr;
}

// True if both are equal in all lanes, or, if `inverted`, opposite.
bool is_same_condition(llvm::Value* a, llvm::Value* b, bool inverted) {
  llvm::Value* inner;
  if (match(a, m_Not(m_Value(inner)))) {
    return is_same_condition(inner, b, !inverted);
  }
  if (match(b, m_Not(m_Value(inner)))) {
    return is_same_condition(a, inner, !inverted);
  }
  auto *first = llvm::dyn_cast<llvm::ICmpInst>(a), *second = llvm::dyn_cast<llvm::ICmpInst>(b);
  return (a == b && !inverted) ||
         (first && second && first->getOperand(0) == second->getOperand(0) &&
          first->getOperand(1) == second->getOperand(1) &&
          first->getPredicate() == (inverted ? second->getInversePredicate() : second->getPredicate()));
}

// True if no existing lane is missing in `lanes`.
bool names_all(llvm::Value* lanes) {
  llvm::Value *a, *b;
  if (match(lanes, m_AllOnes())) {
    return true;
  }
  if (match(lanes, m_And(m_Value(a), m_Value(b)))) {
    return names_all(a) && names_all(b);
  }
  auto* tile = as_lane_call(lanes, lane_call::tile_lanes);
  return tile && match(tile->getArgOperand(tile_lanes_size), m_SpecificInt(lanes_of_warp));
}

}  // namespace

mask_prover::mask_prover(widening& state) : widening_part(state) {
  llvm::SmallVector<const llvm::BasicBlock*, 16> work;
  for (llvm::Instruction& instruction : llvm::instructions(state.function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && (is_warp_collective(*call) || may_suspend(port_call_of(*call))) &&
        reaches_wait_.insert(call->getParent()).second) {
      work.push_back(call->getParent());
    }
  }
  while (!work.empty()) {
    for (const llvm::BasicBlock* before : llvm::predecessors(work.pop_back_val())) {
      if (reaches_wait_.insert(before).second) {
        work.push_back(before);
      }
    }
  }
}

// True if no lane that is missing in `block` can reach a wait: it returns without one, so no lane waits for it.
bool mask_prover::no_other_lane_waits(const llvm::BasicBlock* block) const {
  return llvm::none_of(state_.order, [&](const llvm::BasicBlock* branching) {
    if (!shapes_.diverges(branching)) {
      return false;
    }
    if (state_.branches.is_latch(branching)) {
      const llvm::Loop* loop = state_.loops.getLoopFor(branching);
      return loop->contains(block) && reaches_wait_.contains(loop->getUniqueExitBlock());
    }
    return state_.dominators.dominates(state_.branches.skipped_side(branching), block) &&
           reaches_wait_.contains(state_.branches.join(branching));
  });
}

// True if the lanes that execute `block` are those that executed `made` last. Equal masks are one value: the blocks
// have no divergent branch between them, and `made`, which dominates, belongs to the same iteration of each loop.
bool mask_prover::has_same_lanes(const llvm::Instruction* made, const llvm::BasicBlock* block) const {
  return state_.blocks.masks.lookup(made->getParent()) == state_.blocks.masks.lookup(block);
}

// Proves a ballot as the mask of `block`: a branch on the ballot's own predicate leads to exactly the lanes of its
// result.
mask_proof mask_prover::prove_ballot(llvm::CallInst& ballot, const llvm::BasicBlock* block) const {
  for (const llvm::BasicBlock* branching : state_.order) {
    value* condition = state_.blocks.conditions.lookup(branching);
    if (!condition || state_.branches.is_latch(branching) || !has_same_lanes(&ballot, branching) ||
        state_.blocks.side_masks.lookup(branching) != state_.blocks.masks.lookup(block) ||
        !state_.dominators.dominates(&ballot, branching->getTerminator())) {
      continue;
    }
    const bool enters = branching->getTerminator()->getSuccessor(0) == state_.branches.skipped_side(branching);
    const mask_kind kind = prove(ballot.getArgOperand(collective_mask), ballot.getParent()).kind;
    if (is_same_condition(ballot.getArgOperand(collective_value), condition, !enters) && kind != mask_kind::unproven) {
      return {kind == mask_kind::partition ? mask_kind::partition : mask_kind::active};
    }
  }
  return {};
}

// predicate ? yes : lanes & ~yes, where `yes` is the ballot of the predicate: two halves of the lanes.
mask_proof mask_prover::prove_partition(value* predicate, value* yes, value* no, const llvm::BasicBlock* block) const {
  auto* call = as_lane_call(without_phis(yes), lane_call::ballot);
  value* lanes;
  if (!call || !match(no, m_c_And(m_Value(lanes), m_Not(m_Specific(yes)))) || !has_same_lanes(call, block) ||
      !is_same_condition(call->getArgOperand(collective_value), predicate, false)) {
    return {};
  }
  value* voters = without_phis(call->getArgOperand(collective_mask));
  const mask_kind kind = prove(voters, call->getParent()).kind;
  lanes = without_phis(lanes);
  if (kind != mask_kind::unproven && (lanes == voters || names_all(lanes))) {
    return {mask_kind::partition};
  }
  if (kind == mask_kind::unproven || kind == mask_kind::partition || !shapes_.is_uniform(lanes)) {
    return {};
  }
  return {mask_kind::partition, lanes, predicate};
}

mask_proof mask_prover::prove_call(llvm::CallInst& call, const llvm::BasicBlock* block) const {
  const auto known = lane_call_of(call);
  if (port_call_of(call) == port_call::cohort_wait_converged && has_same_lanes(&call, block)) {
    return {mask_kind::active};
  }
  if (known == lane_call::match && has_same_lanes(&call, block)) {
    return {mask_kind::partition};
  }
  return known == lane_call::ballot ? prove_ballot(call, block) : mask_proof{};
}

mask_proof mask_prover::prove(value* lanes, const llvm::BasicBlock* block) const {
  lanes = without_phis(lanes);
  value *a, *b, *c;
  if (match(lanes, m_And(m_Value(a), m_Value(b))) && (names_all(a) || names_all(b))) {
    return prove(names_all(a) ? b : a, block);
  }
  if (as_lane_call(lanes, lane_call::tile_lanes) && shapes_.is_varying(lanes)) {
    return {no_other_lane_waits(block) ? mask_kind::partition : mask_kind::unproven};
  }
  mask_proof proof;
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(lanes)) {
    proof = prove_call(*call, block);
  } else if (match(lanes, m_Select(m_Value(a), m_Value(b), m_Value(c)))) {
    proof = prove_partition(a, b, c, block);
  }
  if (proof.kind == mask_kind::unproven && shapes_.is_uniform(lanes) && no_other_lane_waits(block)) {
    proof = {mask_kind::uniform, names_all(lanes) ? nullptr : lanes};
  }
  return proof;
}

}  // namespace cohort
