// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a source's kernels, before anything is made from them.
#pragma once

#include <vector>

#include "analysis/waiting.hpp"
#include "gang/plan/source_budget.hpp"
#include "lowering.hpp"

namespace cohort {

// The sizes of those of `kernels` that are of the CPU that the module is compiled for, in their order.
std::vector<kernel_size> kernel_sizes(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting,
                                      llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
