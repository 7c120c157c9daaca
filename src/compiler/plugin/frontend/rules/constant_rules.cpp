// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/preamble.hpp"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

constexpr uint64_t most_constant_bytes = 64 << 10;

// Collects the __constant__ variables that nvcc surely emits: those with external linkage, because other files may use
// them, and those used in this file. Includes the members of namespaces.
template <class Declarations>
void collect_constants(const Declarations& declarations, std::vector<const clang::VarDecl*>& found) {
  for (const clang::Decl* declaration : declarations) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      collect_constants(llvm::cast<clang::DeclContext>(declaration)->decls(), found);
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const auto* constant = variable ? variable->getAttr<clang::CUDAConstantAttr>() : nullptr;
    if (constant && !constant->isImplicit() && variable->isThisDeclarationADefinition() &&
        (variable->getFormalLinkage() == clang::Linkage::External || variable->isUsed())) {
      found.push_back(variable);
    }
  }
}

// The variable whose member or element `target` is.
const clang::VarDecl* written_variable(const clang::Expr& target) {
  const clang::Expr* part = target.IgnoreParenImpCasts();
  while (true) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
      if (member->isArrow()) {
        return nullptr;
      }
      part = member->getBase()->IgnoreParenImpCasts();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
      part = element->getBase()->IgnoreParenImpCasts();
    } else {
      break;
    }
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && !variable->getType()->isPointerType()   ? variable
         : reference && part == target.IgnoreParenImpCasts() ? variable
                                                             : nullptr;
}

}  // namespace

void check_constant_memory(const clang::ASTContext& context, rule_report& report) {
  std::vector<const clang::VarDecl*> variables;
  collect_constants(source_declarations(context), variables);
  uint64_t bytes = 0;
  for (const clang::VarDecl* variable : variables) {
    if (variable->isInvalidDecl() || variable->getType()->isDependentType()) {
      continue;
    }
    bytes += context.getTypeSizeInChars(variable->getType()).getQuantity();
    if (bytes > most_constant_bytes) {
      report.error(variable->getLocation(), "the __constant__ variables of this file, up to '" +
                                                variable->getNameAsString() + "', have " + std::to_string(bytes) +
                                                " bytes; the limit is " + std::to_string(most_constant_bytes));
      return;
    }
  }
}

void check_write(const clang::Expr& target, const clang::FunctionDecl* function, rule_report& report) {
  const clang::VarDecl* variable = written_variable(target);
  const auto* constant = variable ? variable->getAttr<clang::CUDAConstantAttr>() : nullptr;
  if (!constant || constant->isImplicit()) {
    return;
  }
  const bool is_whole = llvm::isa<clang::DeclRefExpr>(target.IgnoreParenImpCasts());
  if (is_whole && variable->getType()->isScalarType()) {
    report.error(target.getExprLoc(),
                 "the __constant__ variable '" + variable->getNameAsString() +
                     "' cannot be written by its name; cudaMemcpyToSymbol() writes it from the host");
  } else if (function && side_of(function).device) {
    report.warning(target.getExprLoc(), 0,
                   "cannot store to the constant memory of '" + variable->getNameAsString() +
                       "': on a GPU the store fails or has no effect");
  }
}

}  // namespace cohort
