// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/build/masked_accesses.hpp"

#include <cohort/machine/cpu/port/contexts.hpp>
#include <optional>
#include <vector>

#include "analysis/shared_addresses.hpp"
#include "gang/target/function_target.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cohort {
namespace {

struct masked_access {
  llvm::Value* stored;  // null for a load
  llvm::Value* address;
  llvm::Align alignment;
  llvm::Value *mask, *otherwise;  // otherwise: a load's result in inactive lanes
};

std::optional<masked_access> masked_access_of(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool loads = call && call->getIntrinsicID() == llvm::Intrinsic::masked_load;
  if (!loads && (!call || call->getIntrinsicID() != llvm::Intrinsic::masked_store)) {
    return std::nullopt;
  }
  auto operand = [&](unsigned number) { return call->getArgOperand(number); };
  auto alignment = [&](unsigned number) { return llvm::cast<llvm::ConstantInt>(operand(number))->getAlignValue(); };
  return loads ? masked_access{nullptr, operand(0), alignment(1), operand(2), operand(3)}
               : masked_access{operand(0), operand(1), alignment(2), operand(3), nullptr};
}

bool fits_margin(const llvm::Instruction& instruction, const masked_access& access) {
  llvm::Type* type = access.stored ? access.stored->getType() : instruction.getType();
  return instruction.getDataLayout().getTypeStoreSize(type).getFixedValue() <= cohort_shared_margin;
}

// The plain accesses get no facts on aliases: those of `instruction` hold for its active lanes, and other lanes access
// other variables.
void unmask(llvm::Instruction& instruction, const masked_access& access) {
  llvm::IRBuilder<> b(&instruction);
  if (access.stored) {
    llvm::Value* before = b.CreateAlignedLoad(access.stored->getType(), access.address, access.alignment);
    b.CreateAlignedStore(b.CreateSelect(access.mask, access.stored, before), access.address, access.alignment);
  } else {
    llvm::Value* loaded = b.CreateAlignedLoad(instruction.getType(), access.address, access.alignment);
    const bool selects = !llvm::isa<llvm::UndefValue>(access.otherwise);
    instruction.replaceAllUsesWith(selects ? b.CreateSelect(access.mask, loaded, access.otherwise) : loaded);
  }
  instruction.eraseFromParent();
}

void store_all_if_full(llvm::Instruction& store, const masked_access& access) {
  llvm::IRBuilder<> b(&store);
  llvm::Type* bits = b.getIntNTy(llvm::cast<llvm::FixedVectorType>(access.mask->getType())->getNumElements());
  llvm::Value* full = b.CreateICmpEQ(b.CreateBitCast(access.mask, bits), llvm::Constant::getAllOnesValue(bits), "full");
  llvm::Instruction *all = nullptr, *some = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(full, &store, &all, &some);
  store.moveBefore(some);
  b.SetInsertPoint(all);
  b.SetCurrentDebugLocation(store.getDebugLoc());
  b.CreateAlignedStore(access.stored, access.address, access.alignment)
      ->copyMetadata(store,
                     {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
}

}  // namespace

bool replace_masked_accesses(llvm::Function& function) {
  if (target_of(function).has_mask_registers) {
    return false;
  }
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (masked_access_of(instruction)) {
      instructions.push_back(&instruction);
    }
  }
  bool changed = false;
  for (llvm::Instruction* instruction : instructions) {
    const masked_access access = *masked_access_of(*instruction);  // NOLINT(bugprone-unchecked-optional-access)
    if (is_in_shared_memory(access.address) && fits_margin(*instruction, access)) {
      unmask(*instruction, access);
    } else if (access.stored && !llvm::isa<llvm::Constant>(access.mask)) {
      store_all_if_full(*instruction, access);
    } else {
      continue;
    }
    changed = true;
  }
  return changed;
}

}  // namespace cohort
