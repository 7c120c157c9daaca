// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of thread indices, block indices and dimensions.
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Leaves one read of each index and axis, at the function's entry. The axis of a read is a constant then.
void simplify_index_reads(llvm::Function& function);

}  // namespace cohort
