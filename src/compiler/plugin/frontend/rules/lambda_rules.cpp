// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/rules.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/rules/rule_report.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

// The branches of `if constexpr` in the body of a lambda.
class branch_search : public syntax_visitor<branch_search> {
 public:
  bool VisitIfStmt(clang::IfStmt* statement) {
    if (statement->isConstexpr()) {
      branches_.push_back(statement->getSourceRange());
    }
    return true;
  }

  bool hold(clang::SourceLocation place, const clang::SourceManager& sources) const {
    for (const clang::SourceRange branch : branches_) {
      if (sources.isPointWithin(place, branch.getBegin(), branch.getEnd())) {
        return true;
      }
    }
    return false;
  }

 private:
  llvm::SmallVector<clang::SourceRange> branches_;
};

}  // namespace

bool is_extended(const clang::FunctionDecl& call_operator) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&call_operator);
  const auto* device = call_operator.getAttr<clang::CUDADeviceAttr>();
  return method && method->getParent()->isLambda() && device && !device->isImplicit();
}

void check_extended_lambda(const clang::LambdaExpr& lambda, const clang::FunctionDecl& around, rule_report& report) {
  const clang::SourceLocation place = lambda.getBeginLoc();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&around);
  if (side_of(&around).device || (method && method->getParent()->isLambda())) {
    return;
  }
  if (around.getDeclaredReturnType()->getContainedDeducedType()) {
    report.warning(place, "the function around a lambda with __device__ cannot have a deduced return type");
  }
  if (around.getAccess() == clang::AS_private || around.getAccess() == clang::AS_protected) {
    report.warning(place, "the function around a lambda with __device__ cannot be a private or protected member");
  }
  branch_search branches;
  branches.TraverseStmt(lambda.getBody());
  for (const clang::LambdaCapture& capture : lambda.implicit_captures()) {
    if (capture.capturesVariable() && !side_of(lambda.getCallOperator()).host &&
        branches.hold(capture.getLocation(), around.getASTContext().getSourceManager())) {
      report.warning(
          capture.getLocation(),
          "the first use of a captured variable in a lambda with __device__ cannot be inside `if constexpr`");
    }
  }
}

}  // namespace cohort
