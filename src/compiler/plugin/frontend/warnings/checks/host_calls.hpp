// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Calls of host functions in `__host__ __device__` functions (20011, 20013).
void check_host_calls(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
