// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace cohort {

// Both passes, before optimization, for --check: no access moves to a path that the source does not have it on.
void keep_accesses(llvm::Module& module);
// The device pass, at the same time: equal waits in two arms of a branch stay two.
void keep_waits(llvm::Module& module);
// The device pass, before it renames variables: marks __constant__ variables for instrument_constants().
void mark_constants(llvm::Module& module);
// Notes the place of each wait of device code for the checker.
void instrument_waits(llvm::Module& module);
// Notes each write of a __constant__ variable for the checker.
void instrument_constants(llvm::Module& module);
// Notes where device code keeps pointers in memory, and where it takes them from there.
void instrument_pointers(llvm::Module& module);

}  // namespace cohort
