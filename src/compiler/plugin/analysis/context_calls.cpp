// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/context_calls.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

std::optional<context_value> read_by(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee && callee->isDeclaration()) {
    for (const context_function& read : context_functions) {
      if (callee->getName() == read.name) {
        return read.value;
      }
    }
  }
  return std::nullopt;
}

std::vector<llvm::CallInst*> context_calls(llvm::Function& function) {
  std::vector<llvm::CallInst*> result;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && read_by(*call)) {
      result.push_back(call);
    }
  }
  return result;
}

}  // namespace cohort
