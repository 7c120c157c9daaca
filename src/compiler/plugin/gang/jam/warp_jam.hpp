// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wider gangs from gangs of one warp, as unroll-and-jam makes them of the outer of two loops: several warps execute
// each instruction of the kernel before any of them executes the next one. A row of a block with rows of 16 or 32
// threads takes the place of a warp in the same way.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
}

namespace cohort {

struct jammed_version {
  llvm::Function* function;  // parameters as those of a row version
  unsigned width;
};

// Warps that are neighbours in x, the widest version first. `rows`: a row version of 32 lanes (gang/version.hpp), as
// the widener leaves it.
llvm::SmallVector<jammed_version, 2> jam_warps(const llvm::Function& rows);

// Rows of the block that are neighbours in y, the widest version first. `rows`: a version for whole rows of `lanes`
// lanes.
llvm::SmallVector<jammed_version, 2> jam_rows(const llvm::Function& rows, unsigned lanes);

}  // namespace cohort
