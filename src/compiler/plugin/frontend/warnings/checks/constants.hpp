// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Constants that a conversion changes (68, 69, 173), division by a zero of floating point (39), and `if (a = 3)`
// (187).
void check_constants(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
