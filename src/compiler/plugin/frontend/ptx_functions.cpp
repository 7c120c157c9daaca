// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx_functions.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"

namespace cohort {

void ptx_functions::add(clang::FunctionDecl& function) {
  if (const auto* mark = function.getAttr<clang::AnnotateAttr>();
      mark && mark->getAnnotation() == "cohort.ptx" && function.isThisDeclarationADefinition()) {
    functions_.push_back(&function);
  }
}

// The code that they call is 470 functions. In a module without PTX these are a fifth of the time of the device pass.
void ptx_functions::emit(clang::CompilerInstance& compiler, clang::ASTContext& context) {
  if (!needed_) {
    return;
  }
  for (clang::FunctionDecl* function : functions_) {
    function->addAttr(clang::UsedAttr::CreateImplicit(context));
    compiler.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(function));
  }
}

}  // namespace cohort
