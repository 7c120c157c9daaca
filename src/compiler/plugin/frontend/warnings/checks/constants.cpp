// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "llvm/ADT/SmallString.h"

namespace cohort {
namespace {

std::string text_of(const llvm::APSInt& value) {
  llvm::SmallString<40> digits;
  value.toString(digits, 10);
  return digits.str().str();
}

class constant_visitor : public source_visitor<constant_visitor> {
 public:
  using source_visitor::source_visitor;

  static constexpr bool visits_templates = true;

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_IntegralCast && !cast->isPartOfExplicitCast() &&
        !cast->isInstantiationDependent()) {
      check_conversion(*cast->getSubExpr(), cast->getType());
    }
    return true;
  }

  bool VisitCastExpr(clang::CastExpr* cast) {
    if (cast->getCastKind() == clang::CK_FloatingToIntegral && !cast->isInstantiationDependent()) {
      check_range(*cast->getSubExpr(), cast->getType());
    }
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    const auto opcode = operation->getOpcode();
    if ((opcode == clang::BO_Div || opcode == clang::BO_DivAssign) && operation->getType()->isRealFloatingType()) {
      clang::Expr::EvalResult divisor;
      const clang::Expr& right = *operation->getRHS();
      if (!right.isInstantiationDependent() && right.EvaluateAsRValue(divisor, context_) && divisor.Val.isFloat() &&
          divisor.Val.getFloat().isZero()) {
        filter_.report(operation->getOperatorLoc(), 39, "division by zero");
      }
    }
    if (operation->isLogicalOp()) {
      check_condition(operation->getLHS());
      check_condition(operation->getRHS());
    }
    return true;
  }

  bool VisitIfStmt(clang::IfStmt* statement) { return check_condition(statement->getCond()); }
  bool VisitWhileStmt(clang::WhileStmt* statement) { return check_condition(statement->getCond()); }
  bool VisitDoStmt(clang::DoStmt* statement) { return check_condition(statement->getCond()); }
  bool VisitForStmt(clang::ForStmt* statement) { return check_condition(statement->getCond()); }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) { return check_condition(choice->getCond()); }

 private:
  // Reports nvcc's warning 68 if the bits fit and the value does not, 69 if bits are lost. Literals in hexadecimal and
  // results of bitwise operators are meant as bits, so they get no warning.
  void check_conversion(const clang::Expr& from, clang::QualType type) {
    if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType() || is_bit_pattern(from)) {
      return;
    }
    clang::Expr::EvalResult result;
    if (from.isValueDependent() || !from.EvaluateAsInt(result, context_, clang::Expr::SE_NoSideEffects)) {
      return;
    }
    const llvm::APSInt value = result.Val.getInt();
    const unsigned width = context_.getIntWidth(type);
    const bool is_signed = type->isSignedIntegerType();
    const bool fits_unsigned = value.isNonNegative() && value.getActiveBits() <= width;
    const bool fits_signed = value.isSigned() || value.isNonNegative() ? significant_bits(value) <= width : false;
    if (is_signed ? fits_signed : fits_unsigned) {
      return;
    }
    llvm::APSInt changed = value.extOrTrunc(width);
    changed.setIsSigned(is_signed);
    const std::string values = text_of(value) + " to " + text_of(changed);
    if (fits_unsigned || fits_signed) {
      filter_.report(from.getExprLoc(), 68, "conversion to '" + type.getAsString() + "' changes the sign: " + values);
    } else {
      filter_.report(from.getExprLoc(), 69, "conversion to '" + type.getAsString() + "' truncates " + values);
    }
  }

  void check_range(const clang::Expr& from, clang::QualType type) {
    clang::Expr::EvalResult result;
    if (from.isValueDependent() || !from.EvaluateAsRValue(result, context_) || !result.Val.isFloat()) {
      return;
    }
    llvm::APSInt converted(context_.getIntWidth(type), !type->isSignedIntegerOrEnumerationType());
    bool exact = false;
    const auto status = result.Val.getFloat().convertToInteger(converted, llvm::APFloat::rmTowardZero, &exact);
    if (status & llvm::APFloat::opInvalidOp) {
      filter_.report(from.getExprLoc(), 173, "floating-point value does not fit in '" + type.getAsString() + "'");
    }
  }

  // Bits of a two's complement number with its sign.
  static unsigned significant_bits(const llvm::APSInt& value) {
    return value.isNegative() ? value.getSignificantBits() : value.getActiveBits() + 1;
  }

  bool is_bit_pattern(const clang::Expr& expression) const {
    const clang::Expr& inner = *expression.IgnoreParenImpCasts();
    if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(&inner)) {
      const auto text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(literal->getSourceRange()),
                                                    context_.getSourceManager(), context_.getLangOpts());
      return text.size() > 1 && text[0] == '0';
    }
    if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(&inner)) {
      return operation->getOpcode() == clang::UO_Not || operation->getType()->isUnsignedIntegerType();
    }
    const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&inner);
    return operation && (operation->isBitwiseOp() || operation->isShiftOp());
  }

  bool check_condition(const clang::Expr* condition) {
    const auto* assignment =
        condition ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
    if (assignment && assignment->getOpcode() == clang::BO_Assign && !assignment->isInstantiationDependent() &&
        assignment->getRHS()->isEvaluatable(context_)) {
      filter_.report(assignment->getOperatorLoc(), 187, "'=' in a condition; '==' may have been meant");
    }
    return true;
  }
};

}  // namespace

void check_constants(clang::ASTContext& context, diagnostic_filter& filter) {
  constant_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort
