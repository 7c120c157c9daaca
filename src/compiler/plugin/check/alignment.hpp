// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace cohort {

// Adds calls that check the alignment of addresses of copies and fills. Runs before the ThreadSanitizer pass, which
// replaces these.
void check_alignment_of_ranges(llvm::Function& function);
// Adds tests before loads and stores that need more alignment than their size; the checks of accesses compare an
// address with the size only. Runs after all passes that move or merge checks.
void check_alignment_of_values(llvm::Function& function);

}  // namespace cohort
