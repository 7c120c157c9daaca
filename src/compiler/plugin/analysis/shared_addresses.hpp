// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Value;
}  // namespace llvm

namespace cohort {

// True if `address` lies in shared memory of the thread's block, or of a block of its cluster. One worker runs all
// threads of a cluster, one at a time.
bool is_in_shared_memory(const llvm::Value* address);

}  // namespace cohort
