// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Functions that end behind a `switch` over each value of an enumeration (940). For clang these cannot end there.
void check_missing_returns(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
