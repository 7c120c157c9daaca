// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/skipped_bodies.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace cohort {

// Bodies of the user's own files are parsed: a function that only they call would be reported as unused.
bool is_body_unused_by_host(const clang::Decl& declaration, const clang::ASTContext& context) {
  const clang::FunctionDecl* function = declaration.getAsFunction();
  return function && function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAHostAttr>() &&
         context.getSourceManager().isInSystemHeader(function->getLocation());
}

}  // namespace cohort
