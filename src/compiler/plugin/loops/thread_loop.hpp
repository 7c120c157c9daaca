// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs the threads of a block one after another, for kernels that cannot wait.
#pragma once

#include "lowering.hpp"

namespace cohort {

// Null if the kernel is too large to inline. Has the type of the entry of one thread.
llvm::Function* make_thread_loop(const lowered_kernel& kernel, llvm::FunctionPassManager& simplify,
                                 llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
