// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace clang {
class CompilerInstance;
}

namespace cohort {

// Accepts sources that differ from clang's reading of the language in a way that nvcc permits.
// `notes`: a file for a pass that runs again (spelling/missing_typename.hpp). With ".host" behind it, its name is that
// of another one (host_references.hpp).
void accept_nvcc_leniency(clang::CompilerInstance& compiler, const std::string& notes);

}  // namespace cohort
