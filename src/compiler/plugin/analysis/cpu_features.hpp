// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that a function is compiled for.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace cohort {

// True if code of `function` may use the instructions of `feature`, such as "fma".
bool has_feature(const llvm::Function& function, llvm::StringRef feature);

}  // namespace cohort
