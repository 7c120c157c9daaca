// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/calls/lane_presence.hpp"

#include "analysis/port_calls.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

bool has_effect(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd()) {
    return false;
  }
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load ? !load->isSimple() : instruction.mayHaveSideEffects();
}

// True if a lane that goes to `block` does nothing more, so it has returned already.
bool only_returns(const widening& state, const llvm::BasicBlock* block) {
  llvm::SmallVector<const llvm::BasicBlock*, 8> work{block};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{block};
  while (!work.empty()) {
    const llvm::BasicBlock* here = work.pop_back_val();
    if (llvm::any_of(*here, has_effect) || state.loops.getLoopFor(here)) {
      return false;
    }
    for (const llvm::BasicBlock* next : llvm::successors(here)) {
      if (seen.insert(next).second) {
        work.push_back(next);
      }
    }
  }
  return true;
}

// True for a barrier that all threads of the block must reach.
bool needs_block(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const port_call called = call ? port_call_of(*call) : port_call::none;
  const port_call joint = thread_form_of(called);
  for (const port_call wait : {called, joint}) {
    if (kind_of(wait) == call_kind::barrier || kind_of(wait) == call_kind::vote) {
      return true;
    }
  }
  constexpr unsigned size = parameter_of(port_call::cohort_wait_team, "size");
  auto* team =
      called == port_call::cohort_wait_team ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(size)) : nullptr;
  return team && team->isZero();
}

// True if a lane that goes to `block` has no effect before it returns or stands at a barrier of the block.
bool stands_still(const llvm::BasicBlock* block) {
  llvm::SmallVector<const llvm::BasicBlock*, 8> work{block};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{block};
  while (!work.empty()) {
    const llvm::BasicBlock* here = work.pop_back_val();
    const auto event = llvm::find_if(*here, has_effect);
    if (event == here->end()) {
      for (const llvm::BasicBlock* next : llvm::successors(here)) {
        if (seen.insert(next).second) {
          work.push_back(next);
        }
      }
    } else if (!needs_block(*event)) {
      return false;
    }
  }
  return true;
}

// True if at most one lane of the gang has this value of the condition.
bool has_one_lane(const shape_analysis& shapes, const llvm::Value* condition, bool value) {
  using namespace llvm::PatternMatch;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) {
    return has_one_lane(shapes, a, !value);
  }
  if (value ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    return has_one_lane(shapes, a, value) || has_one_lane(shapes, b, value);
  }
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare || compare->getPredicate() != (value ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE)) {
    return false;
  }
  const auto first = shapes.stride(compare->getOperand(0)), second = shapes.stride(compare->getOperand(1));
  const llvm::Type* type = compare->getOperand(0)->getType();
  return first && second && *first != *second && type->isIntegerTy() && shapes.span_fits(*first - *second, type);
}

// Follows the masks of `block` to the kernel's entry, as control_widener::make_mask() makes them. Calls
// miss(elsewhere, branching) for each place to which lanes go that do not run `block`. `branching`: the block whose
// branch separates them; null: they have left a loop.
template <class Miss>
void for_each_missing(const widening& state, const llvm::BasicBlock* block, Miss miss) {
  while (block != &state.function.getEntryBlock()) {
    const llvm::Loop* loop = state.loops.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
      if (state.branches.is_latch(loop->getLoopLatch())) {
        miss(loop->getUniqueExitBlock(), nullptr);
      }
      block = loop->getLoopPreheader();
      continue;
    }
    const llvm::BasicBlock* before = block->getSinglePredecessor();
    if (!before) {
      block = state.dominators.getNode(block)->getIDom()->getBlock();
      continue;
    }
    const llvm::Loop* left = state.loops.getLoopFor(before);
    if (left && !left->contains(block)) {
      block = left->getLoopPreheader();
      continue;
    }
    if (state.shapes.diverges(before) && state.branches.skipped_side(before) == block) {
      miss(state.branches.join(before), before);
    }
    block = before;
  }
}

}  // namespace

lane_presence presence_at(const widening& state, const llvm::BasicBlock* block) {
  auto result = lane_presence::all;
  for_each_missing(state, block, [&](const llvm::BasicBlock* elsewhere, const llvm::BasicBlock*) {
    result = result != lane_presence::some && only_returns(state, elsewhere) ? lane_presence::all_but_returned
                                                                             : lane_presence::some;
  });
  return result;
}

// Where one lane runs `block`, no lane has left a loop or taken a branch before it.
bool others_stand_still(const widening& state, const llvm::BasicBlock* block) {
  bool result = true;
  for_each_missing(state, block, [&](const llvm::BasicBlock* elsewhere, const llvm::BasicBlock* branching) {
    const llvm::Value* condition = branching ? state.blocks.conditions.lookup(branching) : nullptr;
    if (condition) {
      const bool value = branching->getTerminator()->getSuccessor(0) != elsewhere;
      result = result || has_one_lane(state.shapes, condition, value);
    }
    result = result && stands_still(elsewhere);
  });
  return result;
}

}  // namespace cohort
