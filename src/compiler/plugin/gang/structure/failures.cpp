// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/failures.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cohort {
namespace {

bool ends_launch(const llvm::BasicBlock& block) {
  if (!llvm::isa<llvm::UnreachableInst>(block.getTerminator())) {
    return false;
  }
  auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(block.getTerminator()->getPrevNonDebugInstruction());
  return call && call->doesNotReturn();
}

// The side of the branch before `block` that does not fail; null if there is none, or only one further back in a loop.
llvm::BasicBlock* other_side(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  const llvm::BasicBlock* first = &block;
  const llvm::BasicBlock* before = first->getSinglePredecessor();
  while (before && before->getUniqueSuccessor()) {
    first = before;
    before = first->getSinglePredecessor();
  }
  auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch) {
    return nullptr;
  }
  llvm::BasicBlock* other = branch->getSuccessor(branch->getSuccessor(0) == first ? 1 : 0);
  return ends_launch(*other) || dominators.dominates(other, before) ? nullptr : other;
}

}  // namespace

void separate_predecessors(llvm::BasicBlock& block, std::vector<llvm::BasicBlock*>& made) {
  for (llvm::BasicBlock* before : llvm::to_vector(llvm::predecessors(&block))) {
    llvm::ValueToValueMapTy map;
    for (llvm::PHINode& phi : block.phis()) {
      map[&phi] = phi.getIncomingValueForBlock(before);
    }
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(&block, map, "", block.getParent());
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*copy)) {
      if (llvm::isa<llvm::PHINode>(instruction)) {
        instruction.eraseFromParent();
      } else {
        llvm::RemapInstruction(&instruction, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      }
    }
    before->getTerminator()->replaceSuccessorWith(&block, copy);
    made.push_back(copy);
  }
  llvm::DeleteDeadBlock(&block);
}

bool join_failures(llvm::Function& function, const llvm::DominatorTree& dominators) {
  std::vector<llvm::BasicBlock*> failing;
  bool all_joined = true;
  for (llvm::BasicBlock& block : function) {
    if (ends_launch(block)) {
      failing.push_back(&block);
    } else {
      all_joined = all_joined && !llvm::isa<llvm::UnreachableInst>(block.getTerminator());
    }
  }
  for (llvm::BasicBlock* block : failing) {
    std::vector<llvm::BasicBlock*> parts;
    if (block->hasNPredecessorsOrMore(2)) {
      separate_predecessors(*block, parts);
    } else {
      parts.push_back(block);
    }
    for (llvm::BasicBlock* part : parts) {
      llvm::BasicBlock* other = other_side(*part, dominators);
      all_joined = all_joined && other;
      if (other) {
        part->getTerminator()->eraseFromParent();
        llvm::BranchInst::Create(other, part);
        for (llvm::PHINode& phi : other->phis()) {
          phi.addIncoming(llvm::PoisonValue::get(phi.getType()), part);
        }
      }
    }
  }
  return all_joined;
}

}  // namespace cohort
