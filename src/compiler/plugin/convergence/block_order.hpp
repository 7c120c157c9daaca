// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a function's blocks by which lanes converge.
#pragma once

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
}  // namespace llvm

namespace cohort {

// The reachable blocks in reverse post-order of the forward edges, each loop contiguous: both arms of a branch come
// before their join, and all blocks of a loop before the blocks after it.
std::vector<llvm::BasicBlock*> converging_order(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace cohort
