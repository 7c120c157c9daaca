// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/name_expressions.hpp"

#include <fstream>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"

namespace cohort {
namespace {

// The kernel or the variable of the device whose address the expression is; null for any other expression.
const clang::NamedDecl* named_symbol(const clang::Expr* expression) {
  const clang::Expr* inner = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(inner);
      address && address->getOpcode() == clang::UO_AddrOf) {
    inner = address->getSubExpr()->IgnoreParenCasts();
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner);
  const clang::ValueDecl* symbol = reference ? reference->getDecl() : nullptr;
  const bool is_kernel = symbol && llvm::isa<clang::FunctionDecl>(symbol) && symbol->hasAttr<clang::CUDAGlobalAttr>();
  const bool is_variable = symbol && llvm::isa<clang::VarDecl>(symbol) &&
                           (symbol->hasAttr<clang::CUDADeviceAttr>() || symbol->hasAttr<clang::CUDAConstantAttr>());
  return is_kernel || is_variable ? symbol : nullptr;
}

}  // namespace

std::vector<const clang::VarDecl*> write_lowered_names(clang::CompilerInstance& compiler, const std::string& file) {
  clang::ASTContext& context = compiler.getASTContext();
  clang::ASTNameGenerator names(context);
  std::ofstream lines(file);
  std::vector<const clang::VarDecl*> variables;
  for (const clang::NamedDecl* found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get(name_expressions_function))) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(found);
    const auto* body = function ? llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody()) : nullptr;
    for (const clang::Stmt* statement : body ? body->body() : clang::CompoundStmt::body_const_range({}, {})) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
      const auto* variable = declaration ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()) : nullptr;
      if (!variable || !variable->hasInit()) {
        continue;
      }
      if (const clang::NamedDecl* symbol = named_symbol(variable->getInit())) {
        lines << names.getName(symbol) << '\n';
        if (const auto* named = llvm::dyn_cast<clang::VarDecl>(symbol)) {
          variables.push_back(named);
        }
        continue;
      }
      auto& diagnostics = compiler.getDiagnostics();
      diagnostics.Report(variable->getInit()->IgnoreParenCasts()->getBeginLoc(),
                         diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                     "a name expression is the address of a __global__ function or of "
                                                     "a __device__ or __constant__ variable"));
    }
  }
  return variables;
}

}  // namespace cohort
