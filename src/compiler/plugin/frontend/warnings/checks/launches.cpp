// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

class launch_visitor : public source_visitor<launch_visitor> {
 public:
  using source_visitor::source_visitor;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch) {
    const clang::CallExpr* shape = launch->getConfig();
    constexpr unsigned stream = 3;  // index of the stream in <<<grid, block, shared, stream>>>
    if (shape && (shape->getNumArgs() <= stream || llvm::isa<clang::CXXDefaultArgExpr>(shape->getArg(stream)))) {
      filter_.report(launch->getBeginLoc(), 20198, "kernel launch without a stream");
    }
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->hasAttr<clang::CUDAGlobalAttr>() && !function->hasAttr<clang::CUDALaunchBoundsAttr>()) {
      filter_.report(function->getLocation(), 20238, "kernel without __launch_bounds__");
    }
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->implicit_captures()) {
      if (capture.capturesThis() && side_of(lambda->getCallOperator()).device) {
        filter_.report(lambda->getBeginLoc(), 20178, "extended lambda captures 'this' implicitly");
      }
    }
    return true;
  }
};

}  // namespace

void check_launches(clang::ASTContext& context, diagnostic_filter& filter) {
  launch_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort
