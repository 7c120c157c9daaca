// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Statements without an effect (174). clang's warning of this kind covers `*p++;` and calls of pure functions as well.
void check_unused_expressions(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
