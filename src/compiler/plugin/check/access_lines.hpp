// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class DominatorTree;
class Function;
}  // namespace llvm

namespace cohort {

// Before instrumentation: gives a line of the source to each access that the optimizer has left without one.
void give_accesses_lines(llvm::Function& function, const llvm::DominatorTree& dominators);

}  // namespace cohort
