// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/full_loops.hpp"

#include "gang/shape/questions.hpp"
#include "gang/shape/shapes.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cohort {
namespace {

constexpr size_t largest_loop = 150;  // instructions in a loop of which a second copy is made

// True if one compare of scalars decides whether all lanes stay in the loop.
bool has_linear_exit(const llvm::Loop& loop, const shape_analysis& shapes) {
  const auto* branch = llvm::cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare || !compare->isRelational() || !compare->getOperand(0)->getType()->isIntegerTy()) {
    return false;
  }
  const auto a = shapes.stride(compare->getOperand(0)), b = shapes.stride(compare->getOperand(1));
  return a && b && (*a == 0) != (*b == 0);
}

bool is_candidate(const llvm::Loop& loop, const shape_analysis& shapes) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  const llvm::BasicBlock* exit = loop.getUniqueExitBlock();
  if (!loop.isInnermost() || !latch || !loop.getLoopPreheader() || loop.getExitingBlock() != latch || !exit ||
      exit->getSinglePredecessor() != latch || !shapes.diverges(latch) || !has_linear_exit(loop, shapes)) {
    return false;
  }
  size_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    size += block->sizeWithoutDebug();
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayHaveSideEffects()) {
        return false;
      }
    }
  }
  return size <= largest_loop;
}

// Before: preheader -> loop -> exit. After:
//
//   preheader -> full loop -> left __
//        \________________________> check -> rest -> loop -> rest.left -> exit
//                                       \_________________________________/
//
// `check` has the values of the first iteration, or those with which some lanes have left the full loop.
class full_loop_maker {
 public:
  full_loop_maker(llvm::Function& function, llvm::Loop& loop)
      : function_(function),
        b_(function.getContext()),
        preheader_(loop.getLoopPreheader()),
        header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        exit_(loop.getUniqueExitBlock()),
        blocks_(loop.block_begin(), loop.block_end()) {}

  void make() {
    full_ = add_block("full");
    left_ = add_block("full.left");
    check_ = add_block("check");
    rest_ = add_block("rest");
    rest_left_ = add_block("rest.left");
    b_.SetCurrentDebugLocation(latch_->getTerminator()->getDebugLoc());
    copy_loop();
    ask_preheader();
    llvm::Value* stays = ask_latch();
    connect(stays);
  }

 private:
  llvm::BasicBlock* add_block(const char* name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, header_);
  }

  llvm::Value* copy_of(llvm::Value* value) const {
    const auto known = map_.find(value);
    return known == map_.end() ? value : static_cast<llvm::Value*>(known->second);
  }

  void copy_loop() {
    map_[preheader_] = full_;
    map_[exit_] = left_;
    llvm::SmallVector<llvm::BasicBlock*, 8> copies;
    for (llvm::BasicBlock* block : blocks_) {
      auto* copy = llvm::CloneBasicBlock(block, map_, ".full", &function_);
      copy->moveBefore(left_);
      map_[block] = copy;
      copies.push_back(copy);
    }
    for (llvm::BasicBlock* copy : copies) {
      for (llvm::Instruction& instruction : *copy) {
        llvm::RemapInstruction(&instruction, map_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      }
    }
    b_.SetInsertPoint(full_);
    b_.CreateBr(llvm::cast<llvm::BasicBlock>(copy_of(header_)));
  }

  void ask_preheader() {
    preheader_->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(preheader_);
    b_.CreateCondBr(ask(b_, gang_question::is_full, {}), full_, check_);
  }

  // Returns, for each lane, whether it stays in the loop when some lanes leave the full one.
  llvm::Value* ask_latch() {
    auto* branch = llvm::cast<llvm::BranchInst>(llvm::cast<llvm::BasicBlock>(copy_of(latch_))->getTerminator());
    b_.SetInsertPoint(branch);
    llvm::Value* stays = branch->getCondition();
    if (branch->getSuccessor(0) == left_) {
      auto* compare = llvm::cast<llvm::ICmpInst>(stays);
      stays = b_.CreateICmp(compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1));
    }
    b_.CreateCondBr(ask(b_, gang_question::all_stay, {stays}), llvm::cast<llvm::BasicBlock>(copy_of(header_)), left_);
    branch->eraseFromParent();
    return stays;
  }

  llvm::PHINode* either(llvm::Value* skipped, llvm::Value* left) {
    auto* phi = b_.CreatePHI(left->getType(), 2);
    phi->addIncoming(skipped, preheader_);
    phi->addIncoming(left, left_);
    return phi;
  }

  void connect(llvm::Value* stays) {
    b_.SetInsertPoint(left_);
    b_.CreateBr(check_);
    b_.SetInsertPoint(check_);
    for (llvm::PHINode& phi : header_->phis()) {
      llvm::Value* start =
          either(phi.getIncomingValueForBlock(preheader_), copy_of(phi.getIncomingValueForBlock(latch_)));
      const auto index = static_cast<unsigned>(phi.getBasicBlockIndex(preheader_));
      phi.setIncomingBlock(index, rest_);
      phi.setIncomingValue(index, start);
    }
    llvm::Value* enters = either(b_.getTrue(), stays);
    for (llvm::PHINode& phi : exit_->phis()) {
      llvm::Value* last = phi.getIncomingValueForBlock(latch_);
      llvm::Value* first = either(llvm::UndefValue::get(phi.getType()), copy_of(last));
      auto* behind = llvm::PHINode::Create(phi.getType(), 1, "", rest_left_);
      behind->addIncoming(last, latch_);
      const auto index = static_cast<unsigned>(phi.getBasicBlockIndex(latch_));
      phi.setIncomingBlock(index, rest_left_);
      phi.setIncomingValue(index, behind);
      phi.addIncoming(first, check_);
    }
    b_.CreateCondBr(enters, rest_, exit_);
    b_.SetInsertPoint(rest_);
    b_.CreateBr(header_);
    latch_->getTerminator()->replaceSuccessorWith(exit_, rest_left_);
    b_.SetInsertPoint(rest_left_);
    b_.CreateBr(exit_);
  }

  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  llvm::BasicBlock *preheader_, *header_, *latch_, *exit_;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks_;
  llvm::BasicBlock *full_ = nullptr, *left_ = nullptr, *check_ = nullptr, *rest_ = nullptr, *rest_left_ = nullptr;
  llvm::ValueToValueMapTy map_;
};

}  // namespace

bool make_full_loops(llvm::Function& function, const shape_analysis& shapes, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (is_candidate(*loop, shapes)) {
      full_loop_maker(function, *loop).make();
      changed = true;
    }
  }
  return changed;
}

}  // namespace cohort
