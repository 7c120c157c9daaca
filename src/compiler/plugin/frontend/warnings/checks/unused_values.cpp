// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cohort {
namespace {

// The variable that an assignment to `target` sets a part of: `x`, `x.member` or `x[i]` of an array.
const clang::DeclRefExpr* assigned_variable(const clang::Expr* target) {
  while (true) {
    target = target->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target)) {
      if (member->isArrow()) {
        return nullptr;
      }
      target = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target)) {
      const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType()) {
        return nullptr;
      }
      target = base;
    } else {
      return llvm::dyn_cast<clang::DeclRefExpr>(target);
    }
  }
}

// Collects the variables that a function sets and reads.
class use_visitor : public syntax_visitor<use_visitor> {
 public:
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->getOpcode() == clang::BO_Assign) {
      note_set(assigned_variable(operation->getLHS()));
    }
    return true;
  }

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (call->getOperator() == clang::OO_Equal && method && method->isTrivial()) {
      note_set(assigned_variable(call->getArg(0)));
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      if (!targets_.count(reference)) {
        read_.insert(variable);
      }
    }
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      if (capture.capturesVariable()) {
        read_.insert(llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()));
      }
    }
    return true;
  }

  const auto& set() const { return set_; }
  bool is_read(const clang::VarDecl* variable) const { return read_.count(variable) != 0; }

 private:
  void note_set(const clang::DeclRefExpr* target) {
    const auto* variable = target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
    if (variable) {
      targets_.insert(target);
      set_.insert(variable);
    }
  }

  llvm::SmallPtrSet<const clang::DeclRefExpr*, 16> targets_;
  llvm::SetVector<const clang::VarDecl*> set_;  // assigned variables in the order of the source
  llvm::SmallPtrSet<const clang::VarDecl*, 16> read_;
};

class unused_value_visitor : public source_visitor<unused_value_visitor> {
 public:
  using source_visitor::source_visitor;

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    check_kernel(*function);
    if (!function->doesThisDeclarationHaveABody() || is_lambda(*function)) {
      return true;
    }
    use_visitor uses;
    uses.TraverseDecl(function);
    for (const clang::VarDecl* set : uses.set()) {
      const clang::VarDecl& variable = *set;
      const bool is_parameter = llvm::isa<clang::ParmVarDecl>(variable);
      const bool is_in_template = function->isTemplateInstantiation();  // nvcc checks its parameters only
      if (!uses.is_read(&variable) && is_reported(variable) && (is_parameter || !is_in_template)) {
        filter_.report(
            variable.getLocation(), 550,
            (is_parameter ? "parameter '" : "variable '") + variable.getNameAsString() + "' is set but never used");
      }
    }
    return true;
  }

 private:
  // Reports a kernel that is not used. clang takes each kernel for used.
  void check_kernel(const clang::FunctionDecl& function) {
    const bool is_private = function.getStorageClass() == clang::SC_Static || function.isInAnonymousNamespace();
    if (function.hasAttr<clang::CUDAGlobalAttr>() && is_private && !function.isReferenced() &&
        !function.isTemplateInstantiation() && function.isFirstDecl() &&
        context_.getSourceManager().isInMainFile(function.getLocation())) {
      filter_.report(function.getLocation(), 177, "unused function '" + function.getNameAsString() + "'");
    }
  }

  // True for a lambda: the check of the function around it covers its body.
  static bool is_lambda(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda();
  }

  static bool is_reported(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType();
    const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return variable.isLocalVarDeclOrParm() && !variable.hasExternalStorage() && !type->isReferenceType() &&
           !type.isVolatileQualified() && !variable.hasAttr<clang::UnusedAttr>() &&
           (!record || (record->hasTrivialDestructor() && record->hasTrivialDefaultConstructor()));
  }
};

}  // namespace

void check_unused_values(clang::ASTContext& context, diagnostic_filter& filter) {
  unused_value_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort
