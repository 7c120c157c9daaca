// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/host_initialisers.hpp"

#include <string>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/rules/rule_report.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

// Finds the first function in an initialiser that exists on devices only. A call that failed keeps the names of all
// overloads.
class device_function_search : public syntax_visitor<device_function_search> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) { return take(reference->getDecl()); }
  bool VisitOverloadExpr(clang::OverloadExpr* names) {
    for (const clang::NamedDecl* name : names->decls()) {
      take(name);
    }
    return true;
  }

  const clang::FunctionDecl* found = nullptr;

 private:
  bool take(const clang::NamedDecl* name) {
    const auto* function = name->getAsFunction();
    if (!found && function && side_of(function).device && !side_of(function).host) {
      found = function;
    }
    return true;
  }
};

bool is_of_device(const clang::VarDecl& variable) {
  return variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDAConstantAttr>() ||
         variable.hasAttr<clang::CUDASharedAttr>();
}

void check_variable(const clang::VarDecl& variable, rule_report& report) {
  if (is_of_device(variable) || variable.isInline() || variable.getDescribedVarTemplate()) {
    return;
  }
  const std::string name = "'" + variable.getNameAsString() + "', a variable of the host,";
  const clang::QualType type = variable.getType();
  if (type.isNull() || type->isUndeducedType()) {  // clang has also dropped the initialiser
    report.error(variable.getLocation(), "the initialiser of " + name +
                                             " calls a function that is not one of the host: the variable has no type");
  } else if (variable.getInit() && !variable.isInvalidDecl() && variable.getInit()->containsErrors()) {
    device_function_search search;
    search.TraverseStmt(const_cast<clang::Expr*>(variable.getInit()));
    report.error(variable.getInit()->getBeginLoc(),
                 search.found ? "the initialiser of " + name + " calls the __device__ function '" +
                                    search.found->getNameAsString() + "'"
                              : "the initialiser of " + name + " has no meaning in host code");
  }
}

}  // namespace

void check_host_initialisers(const clang::Decl& declaration, rule_report& report) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
    return check_variable(*variable, report);
  }
  if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
    for (const clang::Decl* inner : clang::Decl::castToDeclContext(&declaration)->decls()) {
      check_host_initialisers(*inner, report);
    }
  }
}

}  // namespace cohort
