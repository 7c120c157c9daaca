// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes over the finished code of a gang.
#pragma once

#include "llvm/IR/PassManager.h"

namespace cohort {

// Removes what widening leaves: equal masks and addresses, values that no lane needs, code that a loop repeats. The
// kernel was simplified before, so the passes about its control flow and its loops would find nothing, at four times
// the cost.
llvm::FunctionPassManager make_cleanup();

}  // namespace cohort
