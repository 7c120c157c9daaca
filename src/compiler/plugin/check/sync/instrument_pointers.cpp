// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: calls of the checker where device code stores a pointer in memory, where it loads one,
// and where it accesses what such a pointer points to. The checker finds pointers to shared and local memory that
// outlive their block or thread.
#include "check/sync/instrument_sync.hpp"

#include "check/access_check.hpp"
#include "check/check_calls.hpp"
#include "check/sync/pointer_flow.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace cohort {
namespace {

llvm::Value* as_pointer(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return value->getType()->isPointerTy() ? value : builder.CreateIntToPtr(value, builder.getPtrTy());
}

void note_take(llvm::Instruction& read) {
  llvm::IRBuilder<> builder(read.getNextNode());
  builder.SetCurrentDebugLocation(read.getDebugLoc());
  llvm::Value* const value = llvm::isa<llvm::AtomicCmpXchgInst>(read) ? builder.CreateExtractValue(&read, 0) : &read;
  call_checker(builder, read, check_call::cohort_check_take_pointer,
               {accessed_address(read), as_pointer(builder, value)});
}

void note_keep(llvm::Instruction& write) {
  llvm::IRBuilder<> builder(write.getNextNode());
  builder.SetCurrentDebugLocation(write.getDebugLoc());
  llvm::Value* address = accessed_address(write);
  if (llvm::isa<llvm::AtomicCmpXchgInst>(write)) {
    // Nothing is stored if the comparison fails.
    llvm::Value* const is_written = builder.CreateExtractValue(&write, 1);
    address = builder.CreateSelect(is_written, address, llvm::ConstantPointerNull::get(builder.getPtrTy()));
  }
  call_checker(builder, write, check_call::cohort_check_keep_pointer,
               {address, as_pointer(builder, written_value(write))});
}

// Reports a copy, which moves pointers, or a fill, which replaces them. The call that checks a range also makes the
// copy.
void note_range(llvm::CallInst& range) {
  llvm::IRBuilder<> builder(range.getNextNode());
  llvm::Value *const to = range.getArgOperand(0), *const from = range.getArgOperand(1),
                     *const bytes = range.getArgOperand(2);
  if (from->getType()->isPointerTy()) {
    return call_checker(builder, range, check_call::cohort_check_copy_pointers, {to, from, bytes});
  }
  call_checker(builder, range, check_call::cohort_check_drop_pointers, {to, bytes});
}

// Drops pointers that earlier calls stored in the memory of local variables.
void begin_local_memory(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::SmallVector<std::pair<llvm::Value*, uint64_t>, 8> memory;
  llvm::Instruction* begin = &*entry.getFirstNonPHIOrDbgOrAlloca();
  for (llvm::Instruction& instruction : entry) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->isStaticAlloca() && llvm::PointerMayBeCaptured(variable, true, true)) {
      const std::optional<llvm::TypeSize> bytes = variable->getAllocationSize(layout);
      memory.emplace_back(variable, bytes ? bytes->getFixedValue() : 0);
      begin = variable->getNextNode()->comesBefore(begin) ? begin : variable->getNextNode();
    }
  }
  for (llvm::Argument& parameter : function.args()) {
    if (parameter.hasByValAttr()) {
      memory.emplace_back(&parameter, layout.getTypeAllocSize(parameter.getParamByValType()).getFixedValue());
    }
  }
  for (const auto& [address, bytes] : memory) {
    llvm::IRBuilder<> builder(begin);
    if (bytes >= sizeof(uint64_t)) {
      call_checker(builder, *begin, check_call::cohort_check_drop_pointers, {address, builder.getInt64(bytes)});
    }
  }
}

}  // namespace

void instrument_pointers(llvm::Module& module) {
  const pointer_flow flow(module);
  llvm::SmallVector<llvm::CallInst*, 16> ranges;
  for (llvm::Function& function : module) {
    if (function.getName().starts_with("cohort.")) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (is_range_check(instruction)) {
        ranges.push_back(llvm::cast<llvm::CallInst>(&instruction));
      }
    }
  }
  llvm::DenseSet<std::pair<const llvm::BasicBlock*, const llvm::Value*>> used;
  for (const pointer_flow::pointer_use& use : flow.uses()) {
    if (used.insert({use.access->getParent(), use.pointer}).second) {
      llvm::IRBuilder<> builder(use.access);
      call_checker(builder, *use.access, check_call::cohort_check_use_pointer, {as_pointer(builder, use.pointer)});
    }
  }
  // An exchange loads the old pointer before it stores the new one.
  for (llvm::Instruction* keep : flow.keeps()) {
    note_keep(*keep);
  }
  for (llvm::Instruction* take : flow.takes()) {
    note_take(*take);
  }
  for (llvm::CallInst* range : ranges) {
    note_range(*range);
  }
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !function.getName().starts_with("cohort.")) {
      begin_local_memory(function);
    }
  }
}

}  // namespace cohort
