// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of one source line in one call.
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Makes one call of adjacent checks of a source line: most of a check's time passes before it reaches its word.
void batch_checks(llvm::Function& function);

}  // namespace cohort
