// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/kernel_references.hpp"

#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "frontend/syntax_visitor.hpp"
#include "llvm/ADT/DenseSet.h"

namespace cohort {
namespace {

// Collects the places at which an expression refers to kernels.
class kernel_places : public syntax_visitor<kernel_places> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (reference->getDecl()->hasAttr<clang::CUDAGlobalAttr>()) {
      found.insert(reference->getLocation());
    }
    return true;
  }

  // clang's error is at the operator `&` if the name is overloaded or a template.
  bool VisitUnaryOperator(clang::UnaryOperator* expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->getSubExpr()->IgnoreParens());
    if (reference && reference->getDecl()->hasAttr<clang::CUDAGlobalAttr>()) {
      found.insert(expression->getOperatorLoc());
    }
    return true;
  }

  llvm::DenseSet<clang::SourceLocation> found;
};

}  // namespace

bool is_kernel_reference(const clang::FunctionDecl& function) {
  const auto* mark = function.getAttr<clang::AnnotateAttr>();
  return mark && mark->getAnnotation() == "cohort.kernel_reference";
}

void allow_kernel_references(clang::Sema& sema) {
  for (auto& [function, errors] : sema.DeviceDeferredDiags) {
    const clang::FunctionDecl* lambda = function;
    if (errors.empty() || !is_kernel_reference(*lambda) || !lambda->getBody()) {
      continue;
    }
    kernel_places kernels;
    kernels.TraverseStmt(lambda->getBody());
    std::vector<clang::PartialDiagnosticAt> kept;
    bool is_removed = false;  // the last error: its notes follow it
    for (const clang::PartialDiagnosticAt& each : errors) {
      if (each.second.getDiagID() != clang::diag::note_previous_decl) {
        is_removed = each.second.getDiagID() == clang::diag::err_ref_bad_target && kernels.found.contains(each.first);
      }
      if (!is_removed) {
        kept.push_back(each);
      }
    }
    errors = std::move(kept);
  }
}

}  // namespace cohort
