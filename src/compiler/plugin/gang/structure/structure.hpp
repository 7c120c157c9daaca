// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings a kernel into the form that the gang compiler widens.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Leaves one read of each thread index, block index and dimension, at the function's entry. The axis of a read is a
// constant then.
void simplify_index_reads(llvm::Function& function);

// Moves the test of a loop's counter to the loop's start where a second test ends the loop, too, and the counter is
// used after it: `for (n = 0; n < limit && condition; ++n)`. LLVM has moved the test after ++n, so lanes that leave by
// the condition take n, and all others limit: a select in each iteration. At the start both are n.
void test_counters_first(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

// Replaces a load from one of several objects, `inside ? tile[i - 1] : plane[j]`, by a load on each side of the branch
// or condition that selects its address.
void load_on_sides(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

// Runs test_counters_first() and load_on_sides(), then structurizes: loops with one latch that is their only exit,
// branches that skip one region, and one return. Returns false if the control flow has no such form.
// @pre All calls of functions that are defined here are inlined.
bool structure(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace cohort
