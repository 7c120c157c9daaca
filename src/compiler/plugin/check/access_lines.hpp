// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class DominatorTree;
class Function;
}  // namespace llvm

namespace cohort {

// Gives a source line to each access that the optimizer has left without one. Runs before instrumentation.
void give_accesses_lines(llvm::Function& function, const llvm::DominatorTree& dominators);

}  // namespace cohort
