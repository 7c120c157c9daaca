// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --count: calls of the counters (src/count) before the memory accesses and collectives of device code.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace cohort {

// Keeps the optimizer from moving loads of a kernel's first block to its entry, where they have no line. Runs before
// optimization.
void keep_kernels(llvm::Module& module);

// Runs after inlining and before loops over threads are made. `optimizes`: adjacent accesses become wide ones, as nvcc
// makes them.
void count_accesses(llvm::Module& module, llvm::FunctionAnalysisManager& analyses, bool optimizes);

}  // namespace cohort
