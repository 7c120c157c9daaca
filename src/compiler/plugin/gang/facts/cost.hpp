// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates whether a kernel runs faster as gangs than as a loop over its threads, and how wide a gang should be.
#pragma once

#include "gang/plan/kernel_facts.hpp"
#include "gang/target/vector_target.hpp"

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
}  // namespace llvm

namespace cohort {

// The weight of a block in an estimate, by the depth of its loops, because trip counts are mostly unknown.
double loop_weight(const llvm::LoopInfo& loops, const llvm::BasicBlock& block);

// The estimate for `structured`. `costs`: those of its CPU.
gang_estimate estimate(const llvm::Function& structured, const lane_costs& costs,
                       llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
