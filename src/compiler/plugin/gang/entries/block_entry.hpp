// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs the gangs of a block one after another, for kernels that cannot wait.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace cohort {

// The code for blocks of other shapes than rows of whole gangs.
struct other_shapes {
  llvm::Function* any = nullptr;     // gangs of `any_width` lanes (gang/version.hpp); null:
  llvm::Function* loop = nullptr;    // a loop over the threads, which has the type of `thread_entry`
  llvm::Function* narrow = nullptr;  // rows of narrow_width threads; may be null
  unsigned any_width = 0;
};
constexpr unsigned narrow_width = 16;

// Runs `rows` (gang/version.hpp) or the other code: the launch's shape selects it, once for each block. `rows` and
// `narrow` are erased. `thread_entry` has the type of the result.
llvm::Function* make_block_entry(const llvm::Function& thread_entry, llvm::Function& rows, const other_shapes& others,
                                 unsigned width, llvm::StringRef name);

}  // namespace cohort
