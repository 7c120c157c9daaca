// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Diagnostic;
}

namespace cohort {

// True for a case that a diagnostic of clang covers and nvcc's warning does not.
bool is_clangs_alone(const clang::Diagnostic& diagnostic);

}  // namespace cohort
