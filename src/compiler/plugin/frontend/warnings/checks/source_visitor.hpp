// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the code of the user's files.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/warnings/diagnostic_filter.hpp"

namespace cohort {

template <class Derived>
class source_visitor : public clang::RecursiveASTVisitor<Derived> {
 public:
  source_visitor(clang::ASTContext& context, diagnostic_filter& filter) : context_(context), filter_(filter) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  // True for checks of templates as they are written, beside their instantiations.
  static constexpr bool visits_templates = false;

  bool TraverseDecl(clang::Decl* declaration) {
    if (!declaration || is_skipped(*declaration)) {
      return true;
    }
    return clang::RecursiveASTVisitor<Derived>::TraverseDecl(declaration);
  }

 protected:
  clang::ASTContext& context_;
  diagnostic_filter& filter_;

 private:
  bool is_skipped(const clang::Decl& declaration) const {
    if (llvm::isa<clang::TranslationUnitDecl>(declaration)) {
      return false;
    }
    if (declaration.isImplicit() || declaration.isInvalidDecl() ||
        context_.getSourceManager().isInSystemHeader(declaration.getLocation())) {
      return true;
    }
    const auto* scope = llvm::dyn_cast<clang::DeclContext>(&declaration);
    return !Derived::visits_templates && scope &&
           (llvm::isa<clang::FunctionDecl>(declaration) || llvm::isa<clang::RecordDecl>(declaration)) &&
           scope->isDependentContext();
  }
};

}  // namespace cohort
