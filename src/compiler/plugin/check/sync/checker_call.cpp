// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/checker_call.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace cohort {

void call_checker(llvm::IRBuilder<>& builder, const llvm::Instruction& near, const char* name,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  auto* inserted =
      builder.CreateCall(builder.GetInsertBlock()->getModule()->getOrInsertFunction(name, type), arguments);
  // The checker takes the return address as the place, so two calls must not become one.
  inserted->addFnAttr(llvm::Attribute::NoMerge);
  inserted->setDebugLoc(near.getDebugLoc());
  // A call in a function with debug information needs a location, or the verifier refuses it.
  if (llvm::DISubprogram* function = near.getFunction()->getSubprogram(); function && !inserted->getDebugLoc()) {
    inserted->setDebugLoc(llvm::DILocation::get(near.getContext(), 0, 0, function));
  }
}

void call_checker(llvm::Instruction& instruction, const char* name, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<> builder(&instruction);
  call_checker(builder, instruction, name, arguments);
}

}  // namespace cohort
