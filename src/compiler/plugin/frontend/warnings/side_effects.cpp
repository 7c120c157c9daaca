// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/side_effects.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace cohort {
namespace {

// True for properties such as `threadIdx.x`, whose read is a call.
bool reads_property(const clang::Expr& expression) {
  const auto* access = llvm::dyn_cast<clang::PseudoObjectExpr>(&expression);
  return access && llvm::isa<clang::MSPropertyRefExpr>(access->getSyntacticForm());
}

// True for expressions without an effect besides those of their operands.
bool only_computes(const clang::Expr& expression) {
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&expression)) {
    return !operation->isAssignmentOp();
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(&expression)) {
    return !operation->isIncrementDecrementOp();
  }
  return llvm::isa<clang::CastExpr, clang::ParenExpr, clang::MemberExpr, clang::ArraySubscriptExpr,
                   clang::ConditionalOperator, clang::InitListExpr, clang::FullExpr>(expression);
}

}  // namespace

bool has_effect(const clang::Expr& expression, const clang::ASTContext& context) {
  if (!expression.HasSideEffects(context) || reads_property(expression)) {
    return false;
  }
  const auto* load = llvm::dyn_cast<clang::CastExpr>(&expression);
  const bool is_volatile_read =
      load && load->getCastKind() == clang::CK_LValueToRValue && load->getSubExpr()->getType().isVolatileQualified();
  if (is_volatile_read || !only_computes(expression)) {
    return true;
  }
  for (const clang::Stmt* part : expression.children()) {
    const auto* operand = llvm::dyn_cast_or_null<clang::Expr>(part);
    if (!operand || has_effect(*operand, context)) {
      return true;
    }
  }
  return false;
}

}  // namespace cohort
