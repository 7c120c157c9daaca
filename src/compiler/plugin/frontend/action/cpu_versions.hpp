// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
}  // namespace clang

namespace cohort {

// Adds to the facts a further CPU for versions of kernels: a name that clang's -march accepts, or `native`. For an
// unknown name it returns false, and clang has printed an error.
bool add_cpu_version(const clang::CompilerInstance& compiler, llvm::StringRef name);

}  // namespace cohort
