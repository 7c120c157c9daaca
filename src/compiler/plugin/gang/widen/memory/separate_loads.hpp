// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds the time of code generation for functions with many loads.
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Divides long runs of loads by empty statements, which no access of memory crosses. LLVM's X86 combineLoad() compares
// each vector load with all other loads since the last store, and one load or gather of a wide gang becomes many: 120
// of doubles took 12 s instead of 0.9. Runs last: LLVM moves no load across the statements. True if it changed
// the function.
bool separate_loads(llvm::Function& function);

}  // namespace cohort
