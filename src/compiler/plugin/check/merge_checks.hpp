// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class ScalarEvolution;
}  // namespace llvm

namespace cohort {

// Replaces the checks of reads of an unrolled loop at equal distances by one call. Runs after prune_checks().
void merge_checks(llvm::Function& function, llvm::ScalarEvolution& evolution);

}  // namespace cohort
