// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class GlobalVariable;
}

namespace cohort {

// Replaces each use of `variable` in code by `make_address(builder)`, computed once at the start of each function that
// uses it. Uses in initialisers of other variables stay.
void replace_uses(llvm::GlobalVariable& variable,
                  llvm::function_ref<llvm::Value*(llvm::IRBuilder<>& builder)> make_address);

}  // namespace cohort
