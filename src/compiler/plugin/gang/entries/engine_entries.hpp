// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gang versions that the engine calls, for kernels whose gangs wait for each other: cohort_gang_version of
// port.hpp.
#pragma once

#include "gang/version.hpp"

namespace llvm {
class GlobalVariable;
}  // namespace llvm

namespace cohort {

// A function that the engine calls, and the launches that it is for.
struct engine_entry {
  llvm::Function* function;
  unsigned width;
  uint32_t conditions;
  unsigned row_lanes = 0;  // where the gang is several whole rows of the block
};

// Both replace the function of a version. `rows` is erased.
engine_entry make_row_entry(llvm::Function& rows, unsigned width, unsigned row_lanes, llvm::StringRef name);
engine_entry make_any_entry(llvm::Function& any, unsigned width, llvm::StringRef name);

// The array of cohort_gang_version. The functions are in their final form.
llvm::GlobalVariable* make_gang_table(llvm::ArrayRef<engine_entry> entries, llvm::StringRef name);

}  // namespace cohort
