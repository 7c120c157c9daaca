// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings of nvcc that clang lacks, found in the syntax tree of a whole translation unit.
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

class diagnostic_filter;

void check_source(clang::CompilerInstance& compiler, diagnostic_filter& filter);

}  // namespace cohort
