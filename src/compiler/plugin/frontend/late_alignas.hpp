// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

// Accepts alignas right after __shared__, __constant__, __device__ and __managed__.
void accept_late_alignas(clang::CompilerInstance& compiler);

}  // namespace cohort
