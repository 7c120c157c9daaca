// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs the gangs of a block one after another, for kernels that cannot wait.
#pragma once

#include "gang/structure/gang_function.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cohort {

// The code for blocks of other shapes than rows of whole gangs.
struct other_blocks_code {
  llvm::Function* any = nullptr;   // a version for gangs of `any_width` lanes; null: `loop` runs the blocks
  llvm::Function* loop = nullptr;  // a loop over the threads, with the type of `thread_entry`
  unsigned any_width = 0;
};

// A row version (gang/build/version.hpp), and the lanes of its gangs.
struct row_gangs {
  gang_function function;
  unsigned width;
};

// Runs the first of `rows` whose width divides the rows of the block, or else the other code: the launch's shape
// selects it, once for each block. There are one or two versions for rows, the wider one first. `thread_entry` has the
// type of the result.
llvm::Function* make_block_entry(const llvm::Function& thread_entry, llvm::SmallVector<row_gangs, 2> rows,
                                 const other_blocks_code& others, llvm::StringRef name);

}  // namespace cohort
