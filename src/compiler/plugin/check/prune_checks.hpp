// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// After LLVM's ThreadSanitizer pass, for --check: removes checks of accesses that a check before them covers. Only the
// first of equal accesses between two synchronisations keeps its check.
void prune_checks(llvm::Function& function);

}  // namespace cohort
