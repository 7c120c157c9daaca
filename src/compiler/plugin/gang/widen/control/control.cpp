// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/control/control.hpp"

#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

void control_widener::make_entry_mask(value*& mask) {
  if (auto* active = llvm::dyn_cast_or_null<llvm::Instruction>(state_.lanes.active)) {
    b_.SetInsertPoint(active->getNextNode());
    mask = masks_.to_stored(active);
    state_.made.insert(llvm::cast<llvm::Instruction>(mask));
  }
}

// Where lanes leave a loop at its latch, the mask is a phi, which widen_branch() gives its second operand.
void control_widener::make_header_mask(llvm::Loop& loop, value*& mask) {
  mask = state_.blocks.masks.lookup(loop.getLoopPreheader());
  if (state_.branches.is_latch(loop.getLoopLatch())) {
    b_.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
    value* first = mask ? mask : masks_.to_stored(masks_.as_vector(nullptr));
    b_.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
    auto* phi = b_.CreatePHI(first->getType(), 2, "lanes");
    phi->addIncoming(first, loop.getLoopPreheader());
    state_.blocks.loop_masks[&loop] = phi;
    mask = phi;
  }
}

bool control_widener::make_mask(llvm::BasicBlock* block) {
  llvm::Loop* loop = state_.loops.getLoopFor(block);
  value*& mask = state_.blocks.masks[block];
  if (block == &state_.function.getEntryBlock()) {
    make_entry_mask(mask);
    return true;
  }
  if (full_blocks_.contains(block)) {
    return true;
  }
  if (loop && loop->getHeader() == block) {
    make_header_mask(*loop, mask);
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
      const bool enters_region = shapes_.diverges(before) && state_.branches.skipped_side(before) == block;
      mask = (enters_region ? state_.blocks.side_masks : state_.blocks.masks).lookup(before);
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

llvm::Value* control_widener::mask_of(llvm::BasicBlock* block) {
  value* mask = state_.blocks.masks.lookup(block);
  if (!mask) {
    return nullptr;
  }
  auto* made = llvm::dyn_cast<llvm::Instruction>(mask);
  const bool is_here = made && made->getParent() == block && !llvm::isa<llvm::PHINode>(made);
  b_.SetInsertPoint(block, is_here ? std::next(made->getIterator()) : block->getFirstInsertionPt());
  return masks_.from_stored(mask);
}

void control_widener::widen_branch(llvm::BranchInst& branch, value* mask) {
  llvm::BasicBlock* block = branch.getParent();
  if (!branch.isConditional() || !shapes_.diverges(block)) {
    return;
  }
  b_.SetInsertPoint(&branch);
  state_.blocks.conditions[block] = branch.getCondition();
  value* condition = vector_of(branch.getCondition());
  const bool is_latch = state_.branches.is_latch(block);
  llvm::Loop* loop = state_.loops.getLoopFor(block);
  llvm::BasicBlock* side = is_latch ? loop->getHeader() : state_.branches.skipped_side(block);
  const bool is_first = branch.getSuccessor(0) == side;
  value* enters = masks_.both(mask, is_first ? condition : b_.CreateNot(condition));
  if (is_latch) {
    state_.blocks.loop_masks[loop]->addIncoming(masks_.to_stored(enters), block);
    state_.blocks.latch_masks[loop] = mask;
  } else {
    state_.blocks.side_masks[block] = masks_.to_stored(enters);
  }
  value* any = masks_.any(enters);
  branch.setCondition(is_first ? any : b_.CreateNot(any));
  branch.setMetadata(llvm::LLVMContext::MD_prof, nullptr);  // the weights are those of one thread
}

void control_widener::answer(llvm::CallInst& call, gang_question question, value* mask) {
  value* result = question == gang_question::is_full ? is_full(call, mask) : all_stay(call);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result)) {
    made->setMetadata(answer_mark, llvm::MDNode::get(state_.context, {}));
  }
  call.replaceAllUsesWith(result);
  values_.erase_at_end(call);
}

llvm::Value* control_widener::is_full(llvm::CallInst& call, value* mask) {
  for (llvm::User* user : call.users()) {
    full_blocks_.insert(llvm::cast<llvm::BranchInst>(user)->getSuccessor(0));
  }
  return mask ? b_.CreateICmpEQ(masks_.bits(mask), masks_.bits(nullptr)) : b_.getTrue();
}

// The lane with the largest or the smallest value decides for all lanes, unless values wrap around between the lanes.
llvm::Value* control_widener::all_stay(llvm::CallInst& call) {
  auto* compare = llvm::cast<llvm::ICmpInst>(call.getArgOperand(0));
  const bool is_swapped = shapes_.is_uniform(compare->getOperand(0));
  value* linear = compare->getOperand(is_swapped ? 1 : 0);
  value* bound = compare->getOperand(is_swapped ? 0 : 1);
  const auto predicate = is_swapped ? compare->getSwappedPredicate() : compare->getPredicate();
  const int64_t stride = *shapes_.stride(linear);  // NOLINT(bugprone-unchecked-optional-access): a question has one
  llvm::Type* type = linear->getType();
  if (!shapes_.span_fits(stride, type)) {
    return b_.getFalse();
  }
  const bool wants_largest = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  value* extreme = linear;
  if (wants_largest == (stride > 0)) {
    const llvm::APInt offset(64, static_cast<uint64_t>(stride) * (width_ - 1));
    extreme = b_.CreateAdd(linear, llvm::ConstantInt::get(type, offset.trunc(type->getIntegerBitWidth())));
  }
  value* in_order = has_lane_order(b_, shapes_, linear, stride, llvm::ICmpInst::isSigned(predicate));
  return b_.CreateAnd(in_order, b_.CreateICmp(predicate, extreme, bound));
}

}  // namespace cohort
