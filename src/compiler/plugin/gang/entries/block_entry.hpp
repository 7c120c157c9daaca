// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs the gangs of a block one after another, for kernels that cannot wait.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace cohort {

// Runs `rows` or `any` (gang/version.hpp): the launch's shape selects the version, once for each block. `rows` is
// erased. `thread_entry` has the type of the result.
llvm::Function* make_block_entry(const llvm::Function& thread_entry, llvm::Function& rows, llvm::Function& any,
                                 unsigned width, llvm::StringRef name);

}  // namespace cohort
