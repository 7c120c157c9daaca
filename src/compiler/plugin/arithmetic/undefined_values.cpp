// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In CUDA a lane may pass a variable without a value to a function, as all lanes but 0 do in
//
//   if (lane == 0) next = atomicAdd(&counter, 1);
//   next = __shfl_sync(~0u, next, 0);
//
// clang promises LLVM that every argument has a value. LLVM would conclude that `lane` is 0, and remove the branch.
#include "lowering.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

llvm::AttributeList without_promise(llvm::AttributeList attributes, llvm::LLVMContext& context) {
  for (const unsigned index : attributes.indexes()) {
    attributes = attributes.removeAttributeAtIndex(context, index, llvm::Attribute::NoUndef);
  }
  return attributes;
}

}  // namespace

void allow_undefined_values(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  for (llvm::Function& function : module) {
    function.setAttributes(without_promise(function.getAttributes(), context));
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_noundef, nullptr);
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        call->setAttributes(without_promise(call->getAttributes(), context));
      }
    }
  }
}

}  // namespace cohort
