// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about a kernel whose answers are a part of kernel_facts.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// True if the kernel has no loop, and calls no function that has a form for vectors.
bool is_straight(llvm::Function& kernel, llvm::FunctionAnalysisManager& functions);

// True if the kernel reads threadIdx.y for more than ranks.
bool has_rows_of_threads(llvm::Function& kernel);

bool has_warp_collectives(llvm::Function& kernel);

}  // namespace cohort
