// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches that run gangs of a row: blockDim.x is a multiple of the width, or equal to it for whole rows, and the
// grid has at most `largest_row_grid` threads in x.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace cohort {

constexpr uint64_t largest_row_grid = uint64_t{1} << 27;

// Puts into the code what the condition promises.
void state_launch_condition(llvm::Function& function, unsigned width, bool whole_row = false);

}  // namespace cohort
