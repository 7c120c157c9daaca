// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace clang {
class CompilerInstance;
}

namespace cohort {

// Accepts sources that differ from clang's reading of the language in a way that nvcc permits.
// `typename_notes`: a file (spelling/missing_typename.hpp).
void accept_nvcc_leniency(clang::CompilerInstance& compiler, const std::string& typename_notes);

}  // namespace cohort
