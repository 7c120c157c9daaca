// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask for each block names the lanes that run it. A block runs if any lane is active in it, so the scalar code of
// uniform values is right wherever it stands.
#include "gang/shape/questions.hpp"
#include "gang/widen/instruction_widener.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {

bool instruction_widener::check_control_flow() {
  for (llvm::Loop* loop : state_.loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    const bool divergent = llvm::any_of(exiting, [&](auto* block) { return shapes_.diverges(block); });
    llvm::BasicBlock* latch = loop->getLoopLatch();
    if (!loop->getLoopPreheader() || !latch || (divergent && (exiting.size() != 1 || exiting[0] != latch))) {
      return state_.refuse("a loop has exits that cannot be unified", &loop->getHeader()->front());
    }
    if (divergent) {
      llvm::BasicBlock* exit = loop->getUniqueExitBlock();
      if (!exit || exit->getSinglePredecessor() != latch || state_.loops.getLoopFor(exit) != loop->getParentLoop()) {
        return state_.refuse("a loop has exits that cannot be unified", &loop->getHeader()->front());
      }
    }
  }
  return llvm::all_of(state_.order, [&](auto* block) {
    return !shapes_.diverges(block) || state_.branches.is_latch(block) || check_branch(block);
  });
}

// A divergent branch enters one region or goes to the join behind it, and the region has no other way in or out.
bool instruction_widener::check_branch(llvm::BasicBlock* block) {
  llvm::BasicBlock* side = state_.branches.skipped_side(block);
  if (!side || side->getSinglePredecessor() != block) {
    return state_.refuse("a branch has two sides that cannot be serialized", block->getTerminator());
  }
  auto* branch = block->getTerminator();
  llvm::BasicBlock* join = branch->getSuccessor(branch->getSuccessor(0) == side ? 1 : 0);
  llvm::SmallVector<llvm::BasicBlock*, 8> work{side};
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> region{side};
  while (!work.empty()) {
    llvm::BasicBlock* here = work.pop_back_val();
    if (!state_.dominators.dominates(side, here)) {
      return state_.refuse("a region has a second entry", block->getTerminator());
    }
    for (llvm::BasicBlock* next : llvm::successors(here)) {
      if (next != join && region.insert(next).second) {
        work.push_back(next);
      }
    }
  }
  unsigned from_region = 0;
  for (llvm::BasicBlock* before : llvm::predecessors(join)) {
    from_region += region.contains(before);
  }
  if (llvm::pred_size(join) != 2 || from_region != 1 ||
      state_.loops.getLoopFor(join) != state_.loops.getLoopFor(block)) {
    return state_.refuse("a join has several regions", block->getTerminator());
  }
  return true;
}

bool instruction_widener::make_mask(llvm::BasicBlock* block) {
  llvm::Loop* loop = state_.loops.getLoopFor(block);
  value*& mask = state_.blocks.masks[block];
  if (block == &state_.function.getEntryBlock()) {
    if (auto* active = llvm::dyn_cast_or_null<llvm::Instruction>(state_.lanes.active)) {
      b_.SetInsertPoint(active->getNextNode());
      mask = masks_.to_stored(active);
      state_.made.insert(llvm::cast<llvm::Instruction>(mask));
    }
    return true;
  }
  if (full_blocks_.contains(block)) {
    return true;
  }
  if (loop && loop->getHeader() == block) {
    mask = state_.blocks.masks.lookup(loop->getLoopPreheader());
    if (state_.branches.is_latch(loop->getLoopLatch())) {
      b_.SetInsertPoint(loop->getLoopPreheader()->getTerminator());
      value* first = mask ? mask : masks_.to_stored(masks_.as_vector(nullptr));
      b_.SetInsertPoint(block, block->begin());
      auto* phi = b_.CreatePHI(first->getType(), 2, "lanes");
      phi->addIncoming(first, loop->getLoopPreheader());
      state_.blocks.loop_masks[loop] = phi;
      mask = phi;
    }
    return true;
  }
  if (llvm::BasicBlock* before = block->getSinglePredecessor()) {
    llvm::Loop* left = state_.loops.getLoopFor(before);
    if (left && !left->contains(block)) {
      if (left->getParentLoop() != loop) {
        return state_.refuse("two loops end at once", block->getTerminator());
      }
      mask = state_.blocks.masks.lookup(left->getLoopPreheader());
    } else {
      mask = shapes_.diverges(before) && state_.branches.skipped_side(before) == block
                 ? state_.blocks.side_masks.lookup(before)
                 : state_.blocks.masks.lookup(before);
    }
    return true;
  }
  llvm::BasicBlock* top = state_.dominators.getNode(block)->getIDom()->getBlock();
  if (!state_.postdominators.dominates(block, top) || state_.loops.getLoopFor(top) != loop) {
    return state_.refuse("a join does not follow its branch", block->getTerminator());
  }
  mask = state_.blocks.masks.lookup(top);
  return true;
}

void instruction_widener::answer(llvm::CallInst& question, value* result) {
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result)) {
    made->setMetadata(answer_mark, llvm::MDNode::get(state_.context, {}));
  }
  question.replaceAllUsesWith(result);
  values_.erase_at_end(question);
}

llvm::Value* instruction_widener::is_full(llvm::CallInst& question, value* mask) {
  for (llvm::User* user : question.users()) {
    full_blocks_.insert(llvm::cast<llvm::BranchInst>(user)->getSuccessor(0));
  }
  return mask ? b_.CreateICmpEQ(masks_.bits(mask), masks_.bits(nullptr)) : b_.getTrue();
}

// The lane with the largest or the smallest value answers for all, unless the values wrap around between the lanes.
llvm::Value* instruction_widener::all_stay(llvm::CallInst& question) {
  auto* compare = llvm::cast<llvm::ICmpInst>(question.getArgOperand(0));
  const bool swapped = shapes_.is_uniform(compare->getOperand(0));
  value* linear = compare->getOperand(swapped ? 1 : 0);
  value* bound = compare->getOperand(swapped ? 0 : 1);
  const auto predicate = swapped ? compare->getSwappedPredicate() : compare->getPredicate();
  const int64_t stride = *shapes_.stride(linear);  // NOLINT(bugprone-unchecked-optional-access): a question has one
  const unsigned width = linear->getType()->getIntegerBitWidth();
  if (llvm::APInt(64, shapes_.span(stride)).getActiveBits() >= width) {
    return b_.getFalse();
  }
  const bool wants_largest = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  value* extreme = linear;
  if (wants_largest == (stride > 0)) {
    const llvm::APInt offset(64, static_cast<uint64_t>(stride) * (width_ - 1));
    extreme = b_.CreateAdd(linear, llvm::ConstantInt::get(state_.context, offset.trunc(width)));
  }
  value* in_order = has_lane_order(b_, shapes_, linear, stride, llvm::ICmpInst::isSigned(predicate));
  return b_.CreateAnd(in_order, b_.CreateICmp(predicate, extreme, bound));
}

bool instruction_widener::widen_branch(llvm::BranchInst& branch, value* mask) {
  llvm::BasicBlock* block = branch.getParent();
  if (!branch.isConditional() || !shapes_.diverges(block)) {
    return true;
  }
  b_.SetInsertPoint(&branch);
  state_.blocks.conditions[block] = branch.getCondition();
  value* condition = vector_of(branch.getCondition());
  const bool latch = state_.branches.is_latch(block);
  llvm::Loop* loop = state_.loops.getLoopFor(block);
  llvm::BasicBlock* side = latch ? loop->getHeader() : state_.branches.skipped_side(block);
  const bool first = branch.getSuccessor(0) == side;
  value* enters = masks_.both(mask, first ? condition : b_.CreateNot(condition));
  if (latch) {
    state_.blocks.loop_masks[loop]->addIncoming(masks_.to_stored(enters), block);
    state_.blocks.latch_masks[loop] = mask;
  } else {
    state_.blocks.side_masks[block] = masks_.to_stored(enters);
  }
  value* some = masks_.any(enters);
  branch.setCondition(first ? some : b_.CreateNot(some));
  branch.setMetadata(llvm::LLVMContext::MD_prof, nullptr);  // counts of one thread
  return true;
}

}  // namespace cohort
