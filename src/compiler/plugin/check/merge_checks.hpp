// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class ScalarEvolution;
}  // namespace llvm

namespace cohort {

// After prune_checks(): one call checks the reads of an unrolled loop that lie at equal distances.
void merge_checks(llvm::Function& function, llvm::ScalarEvolution& evolution);

}  // namespace cohort
