// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/emission_on_use.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

namespace cohort {

void emit_on_use(clang::Decl& declaration) {
  clang::FunctionDecl* function = declaration.getAsFunction();
  if (function && function->hasAttr<clang::CUDADeviceAttr>() && function->hasAttr<clang::CUDAHostAttr>()) {
    function->setImplicitlyInline();
  }
}

}  // namespace cohort
