// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that lanes leave one by one, such as `for (i = threadIdx.x; i < n; i += blockDim.x)`, run without masks while
// all lanes of the gang stay, and with masks afterwards.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

class shape_analysis;

// Puts before each loop whose exit compares a linear value with a uniform one a copy for all lanes.
// @pre `shapes` describes the structured function. Afterwards it does not.
// Returns true if the function has changed.
bool make_full_loops(llvm::Function& function, const shape_analysis& shapes, llvm::FunctionAnalysisManager& analyses);

}  // namespace cohort
