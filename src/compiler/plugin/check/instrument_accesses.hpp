// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: the steps that insert the checks of memory accesses and reduce their number, in their order.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class Module;
class ScalarEvolution;
}  // namespace llvm

namespace cohort {

// Keeps accesses on their paths: none moves to a path that lacks it in the source. Runs in both passes before
// optimization.
void keep_accesses(llvm::Module& module);
// Gives a source line to each access that the optimizer has left without one. Runs before instrumentation.
void give_accesses_lines(llvm::Function& function, const llvm::DominatorTree& dominators);
// Adds calls that check the alignment of addresses of copies and fills. Runs before LLVM's ThreadSanitizer pass, which
// replaces copies and fills by calls.
void check_alignment_of_ranges(llvm::Function& function);
// Checks the accesses of 32 bits to local variables that LLVM's ThreadSanitizer pass leaves out, in a module with
// products of warpgroups: their accumulators are such variables. Runs after that pass.
void check_accumulators(llvm::Function& function);
// Removes checks of accesses that an earlier check covers: only the first of equal accesses between two
// synchronisations keeps its check. Runs after LLVM's ThreadSanitizer pass.
void prune_checks(llvm::Function& function);
// Checks a read that each iteration of a loop makes, at equal distances, before the loop. The loop keeps its check for
// the case that a read is not harmless. Returns false if there was nothing to hoist.
bool hoist_checks(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                  llvm::LoopInfo& loops);
// Replaces the checks of reads of an unrolled loop at equal distances by one call. Runs after prune_checks().
void merge_checks(llvm::Function& function, llvm::ScalarEvolution& evolution);
// Replaces adjacent checks of a source line by one call: most of a check's time precedes the test of the shadow word.
void batch_checks(llvm::Function& function);
// Adds tests before loads and stores that need more alignment than their size; the checks of accesses compare an
// address with the size only. Runs after all passes that move or merge checks.
void check_alignment_of_values(llvm::Function& function);

}  // namespace cohort
