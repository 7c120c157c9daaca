// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

// Accepts sources that differ from clang's reading of the language in a way that nvcc permits.
void accept_nvcc_leniency(clang::CompilerInstance& compiler);

}  // namespace cohort
