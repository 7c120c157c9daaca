// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that end the launch, such as cohort_fail(): they end all lanes of the gang, so no lane waits for a failed one.
#pragma once

#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
}  // namespace llvm

namespace cohort {

// Gives each predecessor of `block` a block of its own, and appends these to `made`. `block` ends the function.
void separate_predecessors(llvm::BasicBlock& block, std::vector<llvm::BasicBlock*>& made);

// Gives each block that ends with a call that does not return a way back to the other side of its branch. The branch
// then has a join, and a loop keeps the exits that it has without the call. False: an `unreachable` is left.
bool join_failures(llvm::Function& function, const llvm::DominatorTree& dominators);

}  // namespace cohort
