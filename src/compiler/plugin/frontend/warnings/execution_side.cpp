// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/execution_side.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

namespace cohort {
namespace {

template <class Attribute>
bool is_written(const clang::FunctionDecl& function) {
  const auto* attribute = function.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

}  // namespace

execution_side side_of(const clang::FunctionDecl* function) {
  while (function) {
    const bool host = is_written<clang::CUDAHostAttr>(*function);
    const bool device = is_written<clang::CUDADeviceAttr>(*function) || is_written<clang::CUDAGlobalAttr>(*function);
    if (host || device) {
      return {host, device};
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (!method || !method->getParent()->isLambda()) {
      break;
    }
    function = llvm::dyn_cast_or_null<clang::FunctionDecl>(method->getParent()->getParentFunctionOrMethod());
  }
  return {};
}

}  // namespace cohort
