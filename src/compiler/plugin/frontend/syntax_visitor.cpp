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
    if (!declaration || !walk_.enters(declaration)) {
      return true;
    }
    const bool result = base::TraverseDecl(declaration);
    walk_.leave(declaration);
    return result;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    return !walk_.enters_lambdas() || base::TraverseLambdaExpr(lambda);
  }
  bool TraverseStmtExpr(clang::StmtExpr* expression) {
    return !walk_.enters_statement_expressions() || base::TraverseStmtExpr(expression);
  }
  bool VisitDecl(clang::Decl* declaration) { return walk_.visit(declaration); }
  bool VisitStmt(clang::Stmt* statement) { return walk_.visit(statement); }

 private:
  syntax_walk& walk_;
};

bool syntax_walk::TraverseDecl(clang::Decl* declaration) { return clang_visitor(*this).TraverseDecl(declaration); }
bool syntax_walk::TraverseStmt(clang::Stmt* statement) { return clang_visitor(*this).TraverseStmt(statement); }

}  // namespace cohort
