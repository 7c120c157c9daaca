// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: the calls of device code that --check=sync needs.
#pragma once

namespace llvm {
class Module;
}

namespace cohort {

// Before optimization: a thread that joins a copy of its group calls the checker.
void mark_group_copies(llvm::Module& module);
// Before optimization: equal waits in two arms of a branch stay two.
void keep_equal_waits(llvm::Module& module);
// Notes the place of each wait of device code for the checker.
void instrument_waits(llvm::Module& module);
// Notes the calls through which a thread reaches a wait.
void instrument_calls(llvm::Module& module);
// Notes where device code keeps pointers in memory, and where it takes them from there.
void instrument_pointers(llvm::Module& module);

}  // namespace cohort
