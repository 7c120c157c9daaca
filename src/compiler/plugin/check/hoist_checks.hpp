// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of all iterations of a loop at once.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace cohort {

// Checks a read that each iteration of a loop makes, at equal distances, before the loop. The loop keeps its check for
// the case that a read is not harmless. Returns false if there was nothing to hoist.
bool hoist_checks(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                  llvm::LoopInfo& loops);

}  // namespace cohort
