// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: the calls of device code that --check=sync needs.
#pragma once

namespace llvm {
class Module;
}

namespace cohort {

// Makes a thread that joins a copy of its group call the checker. Runs before optimization.
void mark_group_copies(llvm::Module& module);
// Keeps equal waits in two arms of a branch apart. Runs before optimization.
void keep_equal_waits(llvm::Module& module);
// Records the place of each wait of device code for the checker.
void instrument_waits(llvm::Module& module);
// Records the calls through which a thread reaches a wait.
void instrument_calls(llvm::Module& module);
// Records where device code stores pointers in memory, and where it loads them.
void instrument_pointers(llvm::Module& module);

}  // namespace cohort
