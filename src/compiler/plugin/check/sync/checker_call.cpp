// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/checker_call.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {

void call_checker(llvm::Instruction& instruction, const char* name, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<> builder(&instruction);
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  auto* inserted = builder.CreateCall(instruction.getModule()->getOrInsertFunction(name, type), arguments);
  inserted->setDebugLoc(instruction.getDebugLoc());
  // A call in a function with debug information needs a location, or the verifier refuses it.
  if (llvm::DISubprogram* function = instruction.getFunction()->getSubprogram(); function && !inserted->getDebugLoc()) {
    inserted->setDebugLoc(llvm::DILocation::get(instruction.getContext(), 0, 0, function));
  }
}

}  // namespace cohort
