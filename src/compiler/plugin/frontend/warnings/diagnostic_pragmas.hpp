// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

class diagnostic_filter;

// `#pragma nv_diag_suppress 177`, its variants and `#pragma nv_diagnostic push`.
void accept_diagnostic_pragmas(clang::CompilerInstance& compiler, diagnostic_filter& filter);

}  // namespace cohort
