// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

class diagnostic_filter;

// Warnings that nvcc's options ask for: launches without a stream (20198), kernels without launch bounds (20238), and
// `this` in an extended lambda without its name in the capture (20178).
void check_launches(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
