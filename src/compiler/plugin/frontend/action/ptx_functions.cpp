// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/action/ptx_functions.hpp"

#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"

namespace cohort {
namespace {

constexpr llvm::StringLiteral names[] = {
#define COHORT_PTX_CALL(result, name, parameters) #name,

#include <cudart/cudart_detail/device/ptx/functions.inc>

};

// The functions of the table that the headers declare, in the order of the headers.
std::vector<clang::FunctionTemplateDecl*> declared_functions(const clang::ASTContext& context) {
  std::vector<clang::FunctionTemplateDecl*> found;
  for (const llvm::StringRef name : names) {
    for (clang::NamedDecl* each : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name))) {
      auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(each);
      const auto* mark = function ? function->getTemplatedDecl()->getAttr<clang::AnnotateAttr>() : nullptr;
      if (mark && mark->getAnnotation() == "cohort.ptx") {
        found.push_back(function);
      }
    }
  }
  llvm::sort(found, [&](const clang::Decl* a, const clang::Decl* b) {
    return context.getSourceManager().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  return found;
}

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

// Emitted only for inline PTX: the PTX functions call 470 others, a fifth of the device pass's time without PTX.
void ptx_functions::emit(clang::CompilerInstance& compiler, clang::ASTContext& context) const {
  if (!needed_) {
    return;
  }
  const std::vector<clang::FunctionTemplateDecl*> functions = declared_functions(context);
  if (compiler.getLangOpts().CUDAIsDevice) {
    require_all(functions, compiler.getDiagnostics());
  }
  clang::Sema& sema = compiler.getSema();
  for (clang::FunctionTemplateDecl* pattern : functions) {
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
