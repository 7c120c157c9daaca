// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs the threads of a block one after another, for kernels that cannot wait.
#pragma once

#include "lowering.hpp"

namespace cohort {

// Makes a function that runs the kernel for all threads of a block, with the type of the entry of one thread. Null if
// the kernel is too large to inline.
llvm::Function* make_thread_loop(const lowered_kernel& kernel, llvm::FunctionPassManager& simplify,
                                 llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
