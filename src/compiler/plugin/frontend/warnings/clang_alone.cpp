// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/diagnostic_filter.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/warnings/side_effects.hpp"

namespace cohort {
namespace {

// The first argument of the diagnostic's text, if it is a `Declaration`.
template <class Declaration>
const Declaration* argument(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getNumArgs() == 0 || diagnostic.getArgKind(0) != clang::DiagnosticsEngine::ak_nameddecl) {
    return nullptr;
  }
  return llvm::dyn_cast<Declaration>(reinterpret_cast<const clang::NamedDecl*>(diagnostic.getRawArg(0)));
}

// True if the declaration has internal linkage only because its type has: nvcc warns of unused names that are `static`
// or in unnamed namespaces, and not of these.
template <class Declaration>
bool has_linkage_of_type(const Declaration& declaration) {
  return declaration.getStorageClass() == clang::SC_None && !declaration.isInAnonymousNamespace() &&
         declaration.getType()->getLinkage() != clang::Linkage::External;
}

// True for declarations of headers outside of functions, of which nvcc does not warn.
bool is_in_header(const clang::Decl& declaration) {
  const auto& sources = declaration.getASTContext().getSourceManager();
  return !sources.isInMainFile(sources.getExpansionLoc(declaration.getLocation()));
}

// True if nvcc counts the variable as used, as with an initializer that has an effect. In templates, a lambda counts
// too.
bool counts_as_used(const clang::VarDecl& variable) {
  const clang::Expr* value = variable.getInit();
  if (variable.isCXXForRangeDecl() || variable.hasExternalStorage()) {
    return true;
  }
  const auto* record = variable.getType()->getAsCXXRecordDecl();
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  if (record && record->isLambda() && function && (function->isTemplated() || function->isTemplateInstantiation())) {
    return true;
  }
  if (value && !value->isInstantiationDependent() && has_effect(*value, variable.getASTContext())) {
    return true;
  }
  return variable.isFileVarDecl() && (has_linkage_of_type(variable) || is_in_header(variable));
}

}  // namespace

bool is_clangs_alone(const clang::Diagnostic& diagnostic) {
  using namespace clang::diag;
  switch (diagnostic.getID()) {
    case warn_unused_const_variable:
    case warn_unused_variable: {
      const clang::VarDecl* variable = argument<clang::VarDecl>(diagnostic);
      return variable && counts_as_used(*variable);
    }
    case warn_unused_function: {
      const clang::FunctionDecl* function = argument<clang::FunctionDecl>(diagnostic);
      return function && (has_linkage_of_type(*function) || is_in_header(*function));
    }
    case warn_format_invalid_conversion: {  // "100%\n"
      const bool is_text = diagnostic.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string;
      return is_text && diagnostic.getArgStdStr(0).front() == '\\';
    }
    default:
      return false;
  }
}

}  // namespace cohort
