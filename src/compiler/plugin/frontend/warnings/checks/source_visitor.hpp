// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the code of the user's files.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/diagnostic_filter.hpp"

namespace cohort {

template <class Derived>
class source_visitor : public syntax_visitor<Derived> {
 public:
  source_visitor(clang::ASTContext& context, diagnostic_filter& filter) : context_(context), filter_(filter) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  // A check that also visits uninstantiated templates defines this as true.
  static constexpr bool visits_templates = false;

 protected:
  bool enters_declaration(clang::Decl* declaration) override { return !is_skipped(*declaration); }

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
