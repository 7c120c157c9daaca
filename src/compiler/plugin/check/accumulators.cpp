// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/port_calls.hpp"
#include "check/instrument_accesses.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

bool has_products_of_warpgroups(const llvm::Module& module) {
  const llvm::StringRef start = name_of(port_call::cohort_start_warpgroup_product);
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return function.getName().starts_with(start) && !function.use_empty();
  });
}

// True if LLVM's pass leaves the access out although other code may have the variable's address: it tests whether this
// address escapes, and each element of an array may have an address of its own.
bool is_left_out(const llvm::Value* address) {
  const llvm::Value* variable = llvm::getUnderlyingObject(address);
  return llvm::isa<llvm::AllocaInst>(variable) && !llvm::PointerMayBeCaptured(address, true, true) &&
         llvm::PointerMayBeCaptured(variable, true, true);
}

}  // namespace

void check_accumulators(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  if (!has_products_of_warpgroups(module)) {
    return;
  }
  llvm::SmallVector<llvm::Instruction*, 32> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address && !instruction.isVolatile() && !instruction.isAtomic() &&
        !instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize) &&
        llvm::getLoadStoreType(&instruction)->getPrimitiveSizeInBits() == 32 && is_left_out(address)) {
      accesses.push_back(&instruction);
    }
  }
  for (llvm::Instruction* access : accesses) {
    llvm::IRBuilder<> b(access);
    const char* name = llvm::isa<llvm::StoreInst>(access) ? "__tsan_write4" : "__tsan_read4";
    b.CreateCall(module.getOrInsertFunction(name, b.getVoidTy(), b.getPtrTy()),
                 {llvm::getLoadStorePointerOperand(access)});
  }
}

}  // namespace cohort
