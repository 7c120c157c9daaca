// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Loop;
}

namespace cohort {

// Makes each iteration of `loop` yield at its end.
void yield_in_loop(llvm::Loop& loop);

}  // namespace cohort
