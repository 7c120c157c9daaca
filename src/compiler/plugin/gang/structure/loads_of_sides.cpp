// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `inside ? tile[i - 1] : plane[j]` is one load from one of two addresses: LLVM joins the loads of both sides. Lanes on
// both sides of a branch would gather from such addresses. A load on each side reads adjacent elements.
#include "gang/structure/structure.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cohort {
namespace {

bool have_different_objects(llvm::ArrayRef<llvm::Value*> addresses) {
  const llvm::Value* first = llvm::getUnderlyingObject(addresses.front());
  return llvm::any_of(addresses,
                      [&](const llvm::Value* address) { return llvm::getUnderlyingObject(address) != first; });
}

llvm::Value* load_at(llvm::Instruction& place, const llvm::LoadInst& load, llvm::Value* address) {
  auto* copy = llvm::cast<llvm::LoadInst>(load.clone());
  copy->setOperand(0, address);
  copy->insertBefore(place.getIterator());
  return copy;
}

void replace_by_phi(llvm::LoadInst& load, llvm::ArrayRef<std::pair<llvm::Value*, llvm::BasicBlock*>> sides) {
  auto* result =
      llvm::PHINode::Create(load.getType(), static_cast<unsigned>(sides.size()), "", load.getParent()->begin());
  for (const auto& [value, block] : sides) {
    result->addIncoming(value, block);
  }
  llvm::Value* address = load.getPointerOperand();
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(address);
}

// True if nothing between the start of its block and the load writes to memory, or may end the thread.
bool is_first_access(const llvm::LoadInst& load) {
  for (const llvm::Instruction& before : *load.getParent()) {
    if (&before == &load) {
      return true;
    }
    if (before.mayWriteToMemory() || !llvm::isGuaranteedToTransferExecutionToSuccessor(&before)) {
      return false;
    }
  }
  return false;
}

bool load_before_join(llvm::LoadInst& load, llvm::PHINode& address) {
  const bool has_sides = llvm::all_of(
      address.blocks(), [](const llvm::BasicBlock* side) { return side->getSingleSuccessor() != nullptr; });
  llvm::SmallVector<llvm::Value*, 4> addresses(address.incoming_values());
  if (address.getParent() != load.getParent() || !has_sides || !have_different_objects(addresses) ||
      !is_first_access(load)) {
    return false;
  }
  llvm::SmallVector<std::pair<llvm::Value*, llvm::BasicBlock*>, 4> sides;
  for (llvm::BasicBlock* side : address.blocks()) {
    sides.emplace_back(load_at(*side->getTerminator(), load, address.getIncomingValueForBlock(side)), side);
  }
  replace_by_phi(load, sides);
  return true;
}

bool load_by_condition(llvm::LoadInst& load, llvm::SelectInst& address) {
  if (!have_different_objects({address.getTrueValue(), address.getFalseValue()})) {
    return false;
  }
  llvm::Instruction *first = nullptr, *second = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(address.getCondition(), &load, &first, &second);
  llvm::Value* loaded = load_at(*first, load, address.getTrueValue());
  llvm::Value* other = load_at(*second, load, address.getFalseValue());
  replace_by_phi(load, {{loaded, first->getParent()}, {other, second->getParent()}});
  return true;
}

}  // namespace

void load_on_sides(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::LoadInst*, 8> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) {
      loads.push_back(load);
    }
  }
  bool changed = false;
  for (llvm::LoadInst* load : loads) {
    llvm::Value* address = load->getPointerOperand();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(address)) {
      changed = load_before_join(*load, *phi) || changed;
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(address)) {
      changed = load_by_condition(*load, *select) || changed;
    }
  }
  if (changed) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
