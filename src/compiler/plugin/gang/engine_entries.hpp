// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gang versions that the engine calls, for kernels whose gangs wait for each other: cohort_gang_version of
// port.hpp.
#pragma once

#include "gang/version.hpp"

namespace llvm {
class GlobalVariable;
}  // namespace llvm

namespace cohort {

struct gang_table {
  llvm::GlobalVariable* versions;
  uint32_t count;
  llvm::Function* entries[2];
};

gang_table make_engine_entries(llvm::Function& rows, llvm::Function& any, unsigned width, llvm::StringRef name);

// True in a launch with at most largest_row_grid threads in x.
llvm::Value* has_small_grid(llvm::IRBuilder<>& builder, llvm::Value* grid_dim, llvm::Value* block_dim);

}  // namespace cohort
