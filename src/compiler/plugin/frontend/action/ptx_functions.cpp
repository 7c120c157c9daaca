// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/action/ptx_functions.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

namespace cohort {
namespace {

constexpr llvm::StringLiteral names[] = {
#define COHORT_PTX_CALL(result, name, parameters) #name,

#include <cudart/cudart_detail/device/ptx/functions.inc>

};

// Reports each function of the table that the headers lack: the steps that lower inline PTX may call any of them.
void require_all(llvm::ArrayRef<clang::FunctionTemplateDecl*> functions, clang::DiagnosticsEngine& diagnostics) {
  for (const llvm::StringRef name : names) {
    const bool is_defined = llvm::any_of(functions, [&](const clang::FunctionTemplateDecl* function) {
      return function->getName() == name && function->getTemplatedDecl()->isThisDeclarationADefinition();
    });
    if (!is_defined) {
      diagnostics.Report(diagnostics.getCustomDiagID(
          clang::DiagnosticsEngine::Error,
          "the headers of cohortcc lack the function '%0', which inline PTX needs; reinstall them"))
          << name;
    }
  }
}

}  // namespace

void ptx_functions::add(clang::FunctionTemplateDecl& function) {
  const auto* mark = function.getTemplatedDecl()->getAttr<clang::AnnotateAttr>();
  if (mark && mark->getAnnotation() == "cohort.ptx") {
    functions_.push_back(&function);
  }
}

// Emitted only for inline PTX: the PTX functions call 470 others, a fifth of the device pass's time without PTX.
void ptx_functions::emit(clang::CompilerInstance& compiler, clang::ASTContext& context) {
  if (!needed_) {
    return;
  }
  if (compiler.getLangOpts().CUDAIsDevice) {
    require_all(functions_, compiler.getDiagnostics());
  }
  clang::Sema& sema = compiler.getSema();
  for (clang::FunctionTemplateDecl* pattern : functions_) {
    const clang::SourceLocation place = pattern->getLocation();
    const clang::TemplateArgument nothing(context.VoidTy);
    const auto* arguments = clang::TemplateArgumentList::CreateCopy(context, nothing);
    clang::FunctionDecl* function = sema.InstantiateFunctionDeclaration(pattern, arguments, place);
    function->addAttr(clang::AsmLabelAttr::CreateImplicit(context, pattern->getName(), true));
    function->addAttr(clang::UsedAttr::CreateImplicit(context));
    sema.InstantiateFunctionDefinition(place, function, true, true);
  }
}

}  // namespace cohort
