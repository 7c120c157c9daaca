// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/jam/warp_regions.hpp"

#include "analysis/port_calls.hpp"
#include "gang/shape/questions.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cohort {

bool is_common_question(const llvm::Value* condition) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(condition);
  return instruction && instruction->hasMetadata(answer_mark);
}

bool is_joint_call(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const port_call of_one = call ? thread_form_of(port_call_of(*call)) : port_call::none;
  return kind_of(of_one) == call_kind::barrier || kind_of(of_one) == call_kind::vote || copies_later(of_one);
}

warp_analysis::warp_analysis(llvm::Function& function, llvm::Argument& root)
    : function_(function), root_(root), dominators_(function), postdominators_(function), loops_(dominators_) {}

// True if executing the instruction once for all warps would have a different effect than once for each warp.
bool warp_analysis::has_own_effect(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    return true;
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return !load->isSimple();
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return !store->isSimple();
  }
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || is_joint_call(instruction)) {
    return false;
  }
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return false;
    default:
      return !call->onlyReadsMemory();
  }
}

bool warp_analysis::is_repeated(const llvm::Instruction& instruction) const {
  if (is_joint_call(instruction) || instruction.isTerminator()) {
    return false;
  }
  return differing_.contains(&instruction) || has_own_effect(instruction) ||
         llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return differs(operand.get()); });
}

void warp_analysis::propagate() {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* block : order) {
      for (llvm::Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy() || differing_.contains(&instruction)) {
          continue;
        }
        auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        const bool joins = phi && llvm::any_of(phi->blocks(), [&](auto* from) { return is_sequential(from); });
        if (joins || is_sequential(block) || is_repeated(instruction)) {
          changed = differing_.insert(&instruction).second || changed;
        }
      }
    }
  }
}

bool warp_analysis::add_region(llvm::BasicBlock* branching) {
  const auto* node = postdominators_.getNode(branching);
  llvm::BasicBlock* behind = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!behind) {
    return false;
  }
  warp_region region;
  region.entry = branching;
  region.before = branching->getSinglePredecessor();
  for (llvm::Loop* loop = loops_.getLoopFor(branching); loop && !loop->contains(behind); loop = loop->getParentLoop()) {
    region.entry = loop->getHeader();
    region.before = loop->getLoopPreheader();
  }
  if (!region.before || !region.before->getSingleSuccessor() || region.entry == behind) {
    return false;
  }
  region.behind = behind;
  region.blocks.insert(region.entry);
  for (size_t i = 0; i < region.blocks.size(); ++i) {
    llvm::BasicBlock* here = region.blocks[i];
    if (!dominators_.dominates(region.entry, here) || llvm::succ_empty(here) ||
        llvm::any_of(*here, [](const llvm::Instruction& instruction) { return is_joint_call(instruction); })) {
      return false;
    }
    for (llvm::BasicBlock* next : llvm::successors(here)) {
      if (next != behind) {
        region.blocks.insert(next);
      }
    }
  }
  if (region.blocks.contains(region.before)) {
    return false;
  }
  llvm::erase_if(regions_, [&](const warp_region& inner) { return region.blocks.contains(inner.entry); });
  for (const warp_region& other : regions_) {
    if (llvm::any_of(other.blocks, [&](auto* block) { return region.blocks.contains(block); })) {
      return false;
    }
  }
  sequential_.insert(region.blocks.begin(), region.blocks.end());
  regions_.push_back(std::move(region));
  return true;
}

bool warp_analysis::run() {
  for (bool changed = true; changed;) {
    changed = false;
    propagate();
    for (llvm::BasicBlock& block : function_) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() || !differs(branch->getCondition()) || is_sequential(&block) ||
          is_common_question(branch->getCondition())) {
        continue;
      }
      if (!add_region(&block)) {
        return false;
      }
      changed = true;
      break;
    }
  }
  return true;
}

}  // namespace cohort
