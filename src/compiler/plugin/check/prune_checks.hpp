// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Removes checks of accesses that an earlier check covers: only the first of equal accesses between two
// synchronisations keeps its check. Runs after LLVM's ThreadSanitizer pass, for --check.
void prune_checks(llvm::Function& function);

}  // namespace cohort
