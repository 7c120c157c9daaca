// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace cohort {

// Before the ThreadSanitizer pass, which replaces copies and fills: calls that check the alignment of their addresses.
void check_alignment_of_ranges(llvm::Function& function);
// After all passes that move or merge checks: tests before loads and stores that need more alignment than their size.
// The checks of accesses compare an address with the size only.
void check_alignment_of_values(llvm::Function& function);

}  // namespace cohort
