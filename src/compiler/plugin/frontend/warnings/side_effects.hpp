// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
class Expr;
}  // namespace clang

namespace cohort {

// True if the evaluation of `expression` may do more than compute a value. A read of `threadIdx.x` has no effect,
// although it is a call here.
bool has_effect(const clang::Expr& expression, const clang::ASTContext& context);

}  // namespace cohort
