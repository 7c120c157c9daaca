// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/emission_on_use.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

namespace cohort {
namespace {

bool is_of_both_sides(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() && function.hasAttr<clang::CUDAHostAttr>();
}

}  // namespace

void emit_on_use(clang::Decl& declaration) {
  clang::FunctionDecl* function = declaration.getAsFunction();
  if (function && is_of_both_sides(*function)) {
    function->setImplicitlyInline();
  }
}

void emitted_instantiations::InstantiationRequested(const clang::ValueDecl* declaration) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  if (function && is_of_both_sides(*function) &&
      function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition) {
    // clang calls this between the request and the instantiation.
    const_cast<clang::FunctionDecl*>(function)->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation);
  }
}

}  // namespace cohort
