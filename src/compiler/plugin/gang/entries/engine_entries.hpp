// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gang versions that the engine calls, for kernels whose gangs wait for each other: cohort_gang_version of
// port.hpp.
#pragma once

#include <cstdint>

#include "gang/structure/gang_function.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalVariable;
}  // namespace llvm

namespace cohort {

// A function that the engine calls, and the launches that it is for.
struct engine_entry {
  llvm::Function* function;
  unsigned width;
  uint32_t conditions;
  unsigned row_lanes = 0;  // length of the rows, if a gang is several whole rows of the block
};

// Each function puts the code of a version (gang/build/version.hpp) into an entry.
engine_entry make_row_entry(gang_function rows, unsigned width, unsigned row_lanes, llvm::StringRef name);
// Makes the entry for blocks of 16 threads. `row`: a version for whole rows of 16 lanes.
engine_entry make_half_warp_entry(gang_function row, llvm::StringRef name);
engine_entry make_any_entry(gang_function any, unsigned width, llvm::StringRef name);

// The array of cohort_gang_version. The functions are in their final form.
llvm::GlobalVariable* make_gang_table(llvm::ArrayRef<engine_entry> entries, llvm::StringRef name);

}  // namespace cohort
