// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask for each block names the lanes that run it. A block runs if any lane is active in it, so the scalar code of
// uniform values is right wherever it stands. AVX-512 keeps a mask in a register of bits; elsewhere a mask that
// outlives its block is a vector of words, since expanding bits takes up to 170 instructions.
#include "gang/shape/questions.hpp"
#include "gang/widen/widener.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {

bool widener::check_control_flow() {
  for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    const bool divergent = llvm::any_of(exiting, [&](auto* block) { return shapes_.diverges(block); });
    llvm::BasicBlock* latch = loop->getLoopLatch();
    if (!loop->getLoopPreheader() || !latch || (divergent && (exiting.size() != 1 || exiting[0] != latch))) {
      return refuse("a loop has exits that cannot be unified", &loop->getHeader()->front());
    }
    if (divergent) {
      llvm::BasicBlock* exit = loop->getUniqueExitBlock();
      if (!exit || exit->getSinglePredecessor() != latch || loops_.getLoopFor(exit) != loop->getParentLoop()) {
        return refuse("a loop has exits that cannot be unified", &loop->getHeader()->front());
      }
    }
  }
  return llvm::all_of(order_, [&](auto* block) {
    return !shapes_.diverges(block) || is_divergent_latch(block) || check_branch(block);
  });
}

bool widener::is_divergent_latch(const llvm::BasicBlock* block) const {
  const llvm::Loop* loop = loops_.getLoopFor(block);
  return loop && loop->getLoopLatch() == block && loop->isLoopExiting(block) && shapes_.diverges(block);
}

// The successor of a divergent branch that some lanes skip; the other one is the join.
llvm::BasicBlock* widener::skipped_side(const llvm::BasicBlock* block) const {
  llvm::BasicBlock* a = block->getTerminator()->getSuccessor(0);
  llvm::BasicBlock* b = block->getTerminator()->getSuccessor(1);
  if (a == b) {
    return nullptr;
  }
  return postdominators_.dominates(b, a) ? a : postdominators_.dominates(a, b) ? b : nullptr;
}

// A divergent branch enters one region or goes to the join behind it, and the region has no other way in or out.
bool widener::check_branch(llvm::BasicBlock* block) {
  llvm::BasicBlock* side = skipped_side(block);
  if (!side || side->getSinglePredecessor() != block) {
    return refuse("a branch has two sides that cannot be serialized", block->getTerminator());
  }
  auto* branch = block->getTerminator();
  llvm::BasicBlock* join = branch->getSuccessor(branch->getSuccessor(0) == side ? 1 : 0);
  llvm::SmallVector<llvm::BasicBlock*, 8> work{side};
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> region{side};
  while (!work.empty()) {
    llvm::BasicBlock* here = work.pop_back_val();
    if (!dominators_.dominates(side, here)) {
      return refuse("a region has a second entry", block->getTerminator());
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
  if (llvm::pred_size(join) != 2 || from_region != 1 || loops_.getLoopFor(join) != loops_.getLoopFor(block)) {
    return refuse("a join has several regions", block->getTerminator());
  }
  return true;
}

llvm::Value* widener::to_stored(value* mask) {
  return words_ && mask ? b_.CreateSExt(mask, wide(b_.getInt32Ty())) : mask;
}

llvm::Value* widener::from_stored(value* mask) {
  return words_ && mask ? b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType())) : mask;
}

llvm::Value* widener::lanes_or_all(value* mask) {
  return mask ? mask : llvm::ConstantInt::getTrue(wide(b_.getInt1Ty()));
}

llvm::Value* widener::bits(value* mask) {
  return mask ? b_.CreateBitCast(mask, b_.getIntNTy(width_))
              : static_cast<value*>(llvm::Constant::getAllOnesValue(b_.getIntNTy(width_)));
}

llvm::Value* widener::any(value* mask) { return b_.CreateICmpNE(bits(mask), b_.getIntN(width_, 0)); }

// A select, not an `and`: the condition of an inactive lane may be poison.
llvm::Value* widener::both(value* mask, value* condition) {
  return mask ? b_.CreateLogicalAnd(mask, condition) : condition;
}

bool widener::make_mask(llvm::BasicBlock* block) {
  llvm::Loop* loop = loops_.getLoopFor(block);
  value*& mask = masks_[block];
  if (block == &function_.getEntryBlock()) {
    if (auto* active = llvm::dyn_cast_or_null<llvm::Instruction>(lanes_.active)) {
      b_.SetInsertPoint(active->getNextNode());
      mask = to_stored(active);
      made_.insert(llvm::cast<llvm::Instruction>(mask));
    }
    return true;
  }
  if (full_blocks_.contains(block)) {
    return true;
  }
  if (loop && loop->getHeader() == block) {
    mask = masks_.lookup(loop->getLoopPreheader());
    if (is_divergent_latch(loop->getLoopLatch())) {
      b_.SetInsertPoint(loop->getLoopPreheader()->getTerminator());
      value* first = mask ? mask : to_stored(lanes_or_all(nullptr));
      b_.SetInsertPoint(block, block->begin());
      auto* phi = b_.CreatePHI(first->getType(), 2, "lanes");
      phi->addIncoming(first, loop->getLoopPreheader());
      loop_masks_[loop] = phi;
      mask = phi;
    }
    return true;
  }
  if (llvm::BasicBlock* before = block->getSinglePredecessor()) {
    llvm::Loop* left = loops_.getLoopFor(before);
    if (left && !left->contains(block)) {
      if (left->getParentLoop() != loop) {
        return refuse("two loops end at once", block->getTerminator());
      }
      mask = masks_.lookup(left->getLoopPreheader());
    } else {
      mask = shapes_.diverges(before) && skipped_side(before) == block ? side_masks_.lookup(before)
                                                                       : masks_.lookup(before);
    }
    return true;
  }
  llvm::BasicBlock* top = dominators_.getNode(block)->getIDom()->getBlock();
  if (!postdominators_.dominates(block, top) || loops_.getLoopFor(top) != loop) {
    return refuse("a join does not follow its branch", block->getTerminator());
  }
  mask = masks_.lookup(top);
  return true;
}

void widener::answer(llvm::CallInst& question, value* result) {
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result)) {
    made->setMetadata(answer_mark, llvm::MDNode::get(context_, {}));
  }
  question.replaceAllUsesWith(result);
  dead_.push_back(&question);
}

llvm::Value* widener::is_full(llvm::CallInst& question, value* mask) {
  for (llvm::User* user : question.users()) {
    full_blocks_.insert(llvm::cast<llvm::BranchInst>(user)->getSuccessor(0));
  }
  return mask ? b_.CreateICmpEQ(bits(mask), bits(nullptr)) : b_.getTrue();
}

// The lane with the largest or the smallest value answers for all, unless the values wrap around between the lanes.
llvm::Value* widener::all_stay(llvm::CallInst& question) {
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
    extreme = b_.CreateAdd(linear, llvm::ConstantInt::get(context_, offset.trunc(width)));
  }
  value* in_order = stays_in_order(linear, stride, llvm::ICmpInst::isSigned(predicate));
  return b_.CreateAnd(in_order, b_.CreateICmp(predicate, extreme, bound));
}

bool widener::widen_branch(llvm::BranchInst& branch, value* mask) {
  llvm::BasicBlock* block = branch.getParent();
  if (!branch.isConditional() || !shapes_.diverges(block)) {
    return true;
  }
  b_.SetInsertPoint(&branch);
  conditions_[block] = branch.getCondition();
  value* condition = vector_of(branch.getCondition());
  const bool latch = is_divergent_latch(block);
  llvm::Loop* loop = loops_.getLoopFor(block);
  llvm::BasicBlock* side = latch ? loop->getHeader() : skipped_side(block);
  const bool first = branch.getSuccessor(0) == side;
  value* enters = both(mask, first ? condition : b_.CreateNot(condition));
  if (latch) {
    loop_masks_[loop]->addIncoming(to_stored(enters), block);
    latch_masks_[loop] = mask;
  } else {
    side_masks_[block] = to_stored(enters);
  }
  value* some = any(enters);
  branch.setCondition(first ? some : b_.CreateNot(some));
  branch.setMetadata(llvm::LLVMContext::MD_prof, nullptr);  // counts of one thread
  return true;
}

}  // namespace cohort
