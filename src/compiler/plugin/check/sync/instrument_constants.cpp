// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: a call of the checker before each store of device code into a __constant__ variable. Only stores
// whose address names the variable are found: an address that was loaded from memory has no name.
#include "check/sync/instrument_sync.hpp"

#include "check/sync/checker_call.hpp"
#include "lowering.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace cohort {
namespace {

constexpr const char* constant_mark = "cohort.constant";

// Offsets, and the distance of a device's copy, are added to the variable's address; `depth` bounds the search.
bool is_in_constant(const llvm::Value* address, unsigned depth) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(address)) {
    return global->hasMetadata(constant_mark);
  }
  const auto* const operation = llvm::dyn_cast<llvm::Operator>(address);
  if (!operation || depth == 0) {
    return false;
  }
  switch (operation->getOpcode()) {
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::PtrToInt:
      return is_in_constant(operation->getOperand(0), depth - 1);
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
      return is_in_constant(operation->getOperand(0), depth - 1) || is_in_constant(operation->getOperand(1), depth - 1);
    default:
      return false;
  }
}

struct written_memory {
  llvm::Value* address = nullptr;  // null: the instruction writes nothing
  llvm::Value* bytes = nullptr;
};

written_memory written_by(llvm::Instruction& instruction, const llvm::DataLayout& layout) {
  auto* const number = llvm::Type::getInt64Ty(instruction.getContext());
  const auto size_of = [&](const llvm::Value* value) {
    return llvm::ConstantInt::get(number, layout.getTypeStoreSize(value->getType()));
  };
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return {store->getPointerOperand(), size_of(store->getValueOperand())};
  }
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return {update->getPointerOperand(), size_of(update->getValOperand())};
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return {exchange->getPointerOperand(), size_of(exchange->getNewValOperand())};
  }
  if (auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
      range && range->getLength()->getType() == number) {
    return {range->getDest(), range->getLength()};
  }
  return {};
}

}  // namespace

void mark_constants(llvm::Module& module) {
  for (const auto& [name, fact] : facts().variables) {
    llvm::GlobalVariable* const global = fact.constant ? module.getGlobalVariable(name, true) : nullptr;
    if (global) {
      global->setMetadata(constant_mark, llvm::MDNode::get(module.getContext(), {}));
    }
  }
}

void instrument_constants(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::Instruction*, written_memory>, 8> writes;
  for (llvm::Function& function : module) {
    // The compiler's own functions initialize variables.
    if (function.getName().starts_with("cohort.")) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const written_memory written = written_by(instruction, module.getDataLayout());
      if (written.address && is_in_constant(written.address, 8)) {
        writes.emplace_back(&instruction, written);
      }
    }
  }
  for (const auto& [instruction, written] : writes) {
    call_checker(*instruction, "cohort_check_constant", {written.address, written.bytes});
  }
}

}  // namespace cohort
