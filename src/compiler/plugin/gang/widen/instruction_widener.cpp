// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/instruction_widener.hpp"

#include "gang/widen/control/structured.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

bool instruction_widener::run() {
  if (!is_structured(state_) || !widen_variables()) {
    return false;
  }
  find_waits();
  if (!phis_.make()) {
    return false;
  }
  if (!llvm::all_of(state_.order, [&](llvm::BasicBlock* block) { return widen_block(*block); })) {
    return false;
  }
  phis_.fill();
  return true;
}

bool instruction_widener::widen_variables() {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(state_.function))) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && !accesses_.widen_variable(*variable)) {
      return false;
    }
  }
  return true;
}

bool instruction_widener::widen_block(llvm::BasicBlock& block) {
  if (!control_.make_mask(&block)) {
    return false;
  }
  std::vector<llvm::Instruction*> instructions;  // of the thread: those made for lanes have no shape
  for (llvm::Instruction& instruction : block) {
    if (!llvm::isa<llvm::PHINode>(instruction) && !state_.made.contains(&instruction)) {
      instructions.push_back(&instruction);
    }
  }
  accesses_.find_runs(instructions);
  value* mask = control_.mask_of(&block);
  return llvm::all_of(instructions, [&](llvm::Instruction* instruction) { return widen(*instruction, mask); });
}

bool instruction_widener::widen(llvm::Instruction& instruction, value* mask) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    control_.widen_branch(*branch, mask);
    return true;
  }
  if (llvm::isa<llvm::ReturnInst, llvm::AllocaInst>(instruction)) {
    return true;
  }
  b_.SetInsertPoint(&instruction);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return widen_call(*call, mask);
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return accesses_.widen_load(*load, mask);
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return accesses_.widen_store(*store, mask);
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    return serial_.serialize(instruction, mask);
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    return true;
  }
  if (instruction.mayReadOrWriteMemory()) {
    return state_.refuse("an access to memory has no form for lanes", &instruction);
  }
  return shapes_.is_varying(&instruction) ? arithmetic_.widen(instruction, mask) : keep_scalar(instruction);
}

// Lane 0 may be inactive, and then promises about its operands do not hold.
bool instruction_widener::keep_scalar(llvm::Instruction& instruction) {
  if (llvm::any_of(instruction.operands(), [&](const llvm::Use& use) { return !shapes_.is_uniform(use.get()); })) {
    instruction.dropPoisonGeneratingFlags();
  }
  return true;
}

}  // namespace cohort
