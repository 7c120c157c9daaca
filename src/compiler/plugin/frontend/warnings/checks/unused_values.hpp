// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Variables and parameters that are assigned and never read (550): unlike clang's, nvcc's rule covers arrays and
// members. And kernels of this file alone that nothing launches (177).
void check_unused_values(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
