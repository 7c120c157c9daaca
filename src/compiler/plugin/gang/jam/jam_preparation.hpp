// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the code for one warp into the form that several warps can run together.
#pragma once

#include "gang/jam/warp_regions.hpp"

namespace cohort {

// True for the call that reports a mask without the lane.
bool is_mask_report(const llvm::Instruction& instruction);

// True for the call that notes a failed assertion of a lane: warps make the call one after another.
bool is_assertion(const llvm::Instruction& instruction);

// True if the function has other calls that name a thread, or may wait: they have an order in which warps cannot
// alternate.
bool has_other_calls(llvm::Function& function);

void fold_constants(llvm::Function& function);

// Gives each conditional branch a block of its own.
void separate_branches(llvm::Function& function);

// A loop with a form for full gangs often stands after a branch: `if (any lane has an element)`. A copy of that code is
// for the case that each warp enters it; otherwise warps run it one after another.
void enter_together(const warp_region& region);

}  // namespace cohort
