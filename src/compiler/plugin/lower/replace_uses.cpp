// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/replace_uses.hpp"

#include <vector>

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

namespace cohort {

void replace_uses(llvm::GlobalVariable& variable,
                  llvm::function_ref<llvm::Value*(llvm::IRBuilder<>& builder)> make_address) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  llvm::MapVector<llvm::Function*, std::vector<llvm::Use*>> uses_by_function;
  for (llvm::Use& use : variable.uses()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser())) {
      uses_by_function[instruction->getFunction()].push_back(&use);
    }
  }
  for (auto& [function, uses] : uses_by_function) {
    llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
    llvm::Value* address = make_address(builder);
    address->setName(variable.getName());
    for (llvm::Use* use : uses) {
      use->set(address);
    }
  }
  variable.removeDeadConstantUsers();
}

}  // namespace cohort
