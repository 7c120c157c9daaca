// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/syntax_visitor.hpp"

#include "clang/AST/RecursiveASTVisitor.h"

namespace cohort {

class syntax_walk::clang_visitor : public clang::RecursiveASTVisitor<clang_visitor> {
  using base = clang::RecursiveASTVisitor<clang_visitor>;

 public:
  explicit clang_visitor(syntax_walk& walk) : walk_(walk) {}

  bool shouldVisitTemplateInstantiations() const { return walk_.shouldVisitTemplateInstantiations(); }
  bool shouldVisitImplicitCode() const { return walk_.shouldVisitImplicitCode(); }
  bool TraverseDecl(clang::Decl* declaration) {
    if (!declaration || !walk_.enters_declaration(declaration)) {
      return true;
    }
    const bool result = base::TraverseDecl(declaration);
    walk_.leave(declaration);
    return result;
  }
  bool TraverseStmt(clang::Stmt* statement, DataRecursionQueue* queue = nullptr) {
    return !statement || !walk_.enters_statement(statement) || base::TraverseStmt(statement, queue);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    walk_.begin(lambda);
    const bool result = base::TraverseLambdaExpr(lambda);
    walk_.end(lambda);
    return result;
  }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc place) {
    return !walk_.enters_decltype() || base::TraverseDecltypeTypeLoc(place);
  }
  bool VisitDecl(clang::Decl* declaration) { return walk_.visit(declaration); }
  bool VisitStmt(clang::Stmt* statement) { return walk_.visit(statement); }
  bool VisitType(clang::Type* type) { return walk_.visit_type(type); }
  bool VisitTypeLoc(clang::TypeLoc type) { return walk_.visit_written_type(type); }

 private:
  syntax_walk& walk_;
};

bool syntax_walk::TraverseDecl(clang::Decl* declaration) { return clang_visitor(*this).TraverseDecl(declaration); }
bool syntax_walk::TraverseTemplateArgument(const clang::TemplateArgument& argument) {
  return clang_visitor(*this).TraverseTemplateArgument(argument);
}
bool syntax_walk::TraverseStmt(clang::Stmt* statement) { return clang_visitor(*this).TraverseStmt(statement); }

const clang::Stmt* discarded_branch(const clang::IfStmt& branch, const clang::ASTContext& context) {
  if (!branch.isConstexpr() || branch.getCond()->isValueDependent()) {
    return nullptr;
  }
  const auto live = branch.getNondiscardedCase(context);
  return !live ? nullptr : *live == branch.getThen() ? branch.getElse() : branch.getThen();
}

}  // namespace cohort
