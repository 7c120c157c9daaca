// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects how many lanes the gangs of a kernel have.
#pragma once

#include "analysis/waiting.hpp"
#include "lowering.hpp"

#include <vector>

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

// True if kernels that wait may have gangs of several warps. These take most of the time of compilation, so a source
// has them unless it is large, as one with dozens of instances of a template is, or --cohort-gangs=all asks for them.
bool has_room_for_several_warps(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting);

// True if the kernel's threads have a place in y, rather than a rank alone.
bool has_rows_of_threads(llvm::Function& function);

}  // namespace cohort
