// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"
#include "frontend/warnings/side_effects.hpp"

namespace cohort {
namespace {

class expression_visitor : public source_visitor<expression_visitor> {
 public:
  using source_visitor::source_visitor;

  static constexpr bool visits_templates = true;

  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (clang::Stmt* statement : block->body()) {
      check(statement);
    }
    return true;
  }

  // The value of a statement expression is its last statement, which may have no effect.
  bool enters_statement(clang::Stmt* statement) override { return !llvm::isa<clang::StmtExpr>(statement); }

  bool VisitIfStmt(clang::IfStmt* statement) { return check(statement->getThen()) && check(statement->getElse()); }
  bool VisitWhileStmt(clang::WhileStmt* statement) { return check(statement->getBody()); }
  bool VisitDoStmt(clang::DoStmt* statement) { return check(statement->getBody()); }
  bool VisitSwitchCase(clang::SwitchCase* statement) { return check(statement->getSubStmt()); }
  bool VisitLabelStmt(clang::LabelStmt* statement) { return check(statement->getSubStmt()); }

  bool VisitForStmt(clang::ForStmt* statement) {
    return check(statement->getInit()) && check(statement->getInc()) && check(statement->getBody());
  }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    return operation->getOpcode() != clang::BO_Comma || check(operation->getLHS());
  }

 private:
  bool enters_declaration(clang::Decl* declaration) override {
    if (!source_visitor::enters_declaration(declaration)) {
      return false;
    }
    if (const auto* function = as_function(declaration)) {
      functions_.push_back(function);
    }
    return true;
  }

  void leave(clang::Decl* declaration) override {
    if (as_function(declaration)) {
      functions_.pop_back();
    }
  }

  static const clang::FunctionDecl* as_function(const clang::Decl* declaration) {
    const bool is_function =
        declaration->getKind() == clang::Decl::Function || declaration->getKind() == clang::Decl::CXXMethod;
    return is_function ? llvm::cast<clang::FunctionDecl>(declaration) : nullptr;
  }

  bool check(const clang::Stmt* statement) {
    const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(statement);
    if (!expression || expression->getType()->isVoidType() || expression->isInstantiationDependent() ||
        has_effect(*expression, context_)) {
      return true;
    }
    const clang::Expr& inner = *expression->IgnoreParenImpCasts();
    if (llvm::isa<clang::CallExpr, clang::StmtExpr>(inner)) {
      return true;
    }
    // nvcc reports an unused cast in device code only.
    if (!llvm::isa<clang::ExplicitCastExpr>(inner) || side_of(functions_.back()).device) {
      filter_.report(inner.getExprLoc(), 174, "expression has no effect");
    }
    return true;
  }

  llvm::SmallVector<const clang::FunctionDecl*> functions_ = {
      nullptr};  // functions around the statement, the innermost last
};

}  // namespace

void check_unused_expressions(clang::ASTContext& context, diagnostic_filter& filter) {
  expression_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort
