// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
}  // namespace clang

namespace cohort {

// Adds to the facts a further CPU that kernels have a version for: a name that clang's -march takes, or `native`. False
// after clang's error about a name that it does not have.
bool add_cpu_version(const clang::CompilerInstance& compiler, llvm::StringRef name);

}  // namespace cohort
