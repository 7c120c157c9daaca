// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/shared_constants.hpp"

#include "lower/replace_uses.hpp"
#include "lower/report_error.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

void find_holders(const llvm::Constant& value, llvm::SetVector<llvm::GlobalVariable*>& holders) {
  for (const llvm::User* user : value.users()) {
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(user)) {
      holders.insert(const_cast<llvm::GlobalVariable*>(global));
    } else if (auto* constant = llvm::dyn_cast<llvm::Constant>(user); constant && !llvm::isa<llvm::GlobalValue>(user)) {
      find_holders(*constant, holders);
    }
  }
}

bool is_of_compiler(const llvm::GlobalVariable& global) {
  return global.isConstant() && global.hasPrivateLinkage() && global.hasGlobalUnnamedAddr();
}

}  // namespace

void make_constants_local(llvm::GlobalVariable& shared) {
  llvm::SetVector<llvm::GlobalVariable*> holders;
  find_holders(shared, holders);
  for (llvm::GlobalVariable* holder : holders) {
    if (holder->getName().starts_with("llvm.")) {
      continue;
    }
    if (!is_of_compiler(*holder)) {
      report_error(*shared.getParent(),
                   "the initialiser of variable '" + holder->getName() +
                       "' holds the address of a __shared__ variable, which differs between blocks");
      continue;
    }
    replace_uses(*holder, [&](llvm::IRBuilder<>& builder) -> llvm::Value* {
      llvm::AllocaInst* const local = builder.CreateAlloca(holder->getValueType());
      local->setAlignment(holder->getAlign().value_or(local->getAlign()));
      builder.CreateStore(holder->getInitializer(), local);
      return local;
    });
    if (holder->use_empty()) {
      holder->eraseFromParent();
    }
  }
}

}  // namespace cohort
