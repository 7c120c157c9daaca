// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions in gangs. A lane whose assertion fails does nothing more, and the others of its gang run on.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

bool has_assertions(llvm::Function& kernel);

// A copy in which no assertion fails.
llvm::Function& copy_without_assertions(llvm::Function& kernel, llvm::FunctionPassManager& simplify,
                                        llvm::FunctionAnalysisManager& functions);

// A failed assertion notes the failure of its lane, and the lane returns.
void let_lanes_fail_alone(llvm::Function& kernel, bool waits, llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
