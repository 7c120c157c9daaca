// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/jam/jam_preparation.hpp"

#include "analysis/waiting.hpp"
#include "gang/jam/warp_regions.hpp"
#include "gang/shape/questions.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cohort {
namespace {

llvm::BranchInst* conditional_branch(const llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(const_cast<llvm::Instruction*>(block.getTerminator()));
  return branch && branch->isConditional() ? branch : nullptr;
}

}  // namespace

bool is_mask_report(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && port_call_of(*call) == port_call::cohort_gang_refuse_mask;
}

bool is_assertion(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && port_call_of(*call) == port_call::cohort_gang_fail_assert;
}

void enter_together(const warp_region& region) {
  llvm::BranchInst* branch = conditional_branch(*region.entry);
  const bool asks = llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
    const llvm::BranchInst* inner = conditional_branch(*block);
    return inner && is_common_question(inner->getCondition());
  });
  if (!branch || &region.entry->front() != branch || !asks ||
      !llvm::is_contained(branch->successors(), region.behind)) {
    return;
  }
  const bool first = branch->getSuccessor(0) != region.behind;
  llvm::BasicBlock* side = branch->getSuccessor(first ? 0 : 1);
  llvm::Function& function = *side->getParent();
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<llvm::BasicBlock*, 16> copied;
  for (llvm::BasicBlock* block : llvm::drop_begin(region.blocks)) {
    copies[block] = llvm::CloneBasicBlock(block, copies, "", &function);
    copied.push_back(llvm::cast<llvm::BasicBlock>(copies[block]));
  }
  for (llvm::BasicBlock* copy : copied) {
    for (llvm::Instruction& instruction : *copy) {
      llvm::RemapInstruction(&instruction, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
  }
  for (llvm::PHINode& phi : region.behind->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      if (auto copy = copies.find(phi.getIncomingBlock(i)); copy != copies.end()) {
        const auto known = copies.find(phi.getIncomingValue(i));
        llvm::Value* value = known == copies.end() ? phi.getIncomingValue(i) : static_cast<llvm::Value*>(known->second);
        phi.addIncoming(value, llvm::cast<llvm::BasicBlock>(static_cast<llvm::Value*>(copy->second)));
      }
    }
  }
  llvm::Instruction* end = region.before->getTerminator();
  auto* bit = llvm::ConstantInt::getBool(function.getContext(), !first);
  auto* enters = llvm::BinaryOperator::CreateXor(branch->getCondition(), bit, "", end->getIterator());
  enters->setMetadata(answer_mark, llvm::MDNode::get(function.getContext(), {}));
  auto* in_turn = llvm::BasicBlock::Create(function.getContext(), "in.turn", &function, region.entry);
  llvm::IRBuilder<>(in_turn).CreateBr(region.entry);
  region.entry->replacePhiUsesWith(region.before, in_turn);
  auto* together = llvm::cast<llvm::BasicBlock>(static_cast<llvm::Value*>(copies[side]));
  together->replacePhiUsesWith(region.entry, region.before);
  llvm::BranchInst::Create(together, in_turn, enters, region.before);
  end->eraseFromParent();  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): blocks own their instructions
}

bool has_other_calls(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !llvm::isa<llvm::IntrinsicInst>(call) && !call->doesNotAccessMemory() &&
           !is_joint_call(instruction) && !is_mask_report(instruction) && !is_assertion(instruction);
  });
}

void fold_constants(llvm::Function& function) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock& block : function) {
      changed = llvm::SimplifyInstructionsInBlock(&block) || changed;
      changed = llvm::ConstantFoldTerminator(&block, true) || changed;
    }
    changed = llvm::removeUnreachableBlocks(function) || changed;
  }
}

void separate_branches(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 32> branches;
  for (llvm::BasicBlock& block : function) {
    if (block.getTerminator()->getNumSuccessors() > 1) {
      branches.push_back(block.getTerminator());
    }
  }
  for (llvm::Instruction* branch : branches) {
    llvm::SplitBlock(branch->getParent(), branch);
  }
}

}  // namespace cohort
