// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects how many lanes the gangs of a kernel have.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Widths for a structured kernel, the preferred one first; empty if it gains nothing from gangs. Only kernels that
// `wait` have several: the engine takes the first one that fits a launch, and the last one fits any.
llvm::SmallVector<unsigned, 3> select_widths(const llvm::Function& structured, bool waits,
                                             llvm::FunctionAnalysisManager& functions);

// True if the kernel's threads have a place in y, rather than a rank alone.
bool has_rows_of_threads(llvm::Function& function);

}  // namespace cohort
