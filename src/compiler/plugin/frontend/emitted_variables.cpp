// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/emitted_variables.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {

namespace {

// Variables with internal linkage, inline ones and instances of templates wait for a use.
bool is_emitted_at_definition(const clang::VarDecl& variable) {
  return variable.getFormalLinkage() == clang::Linkage::External && !variable.isInline() &&
         variable.getTemplateSpecializationKind() == clang::TSK_Undeclared && variable.getDefinition();
}

}  // namespace

void forget_emitted_variables(clang::ASTContext& context) {
  auto& used_by_host = context.CUDADeviceVarODRUsedByHost;
  llvm::SmallVector<const clang::VarDecl*, 16> emitted;
  for (const clang::VarDecl* variable : used_by_host) {
    if (is_emitted_at_definition(*variable)) {
      emitted.push_back(variable);
    }
  }
  for (const clang::VarDecl* variable : emitted) {
    used_by_host.erase(variable);
  }
}

}  // namespace cohort
