// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of the test that ends a counted loop.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}

namespace cohort {

// Moves the test of the counter to the loop's start where a second test ends the loop, too, and the counter is used
// behind it: `for (n = 0; n < limit && condition; ++n)`. LLVM has moved the test behind ++n, so that lanes that leave
// by the condition take n, and all others limit: a choice in each round. At the start both are n.
void test_counters_first(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace cohort
