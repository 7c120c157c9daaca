// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/launch_condition.hpp"

#include <utility>
#include <vector>

#include "analysis/context_calls.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

bool reads_x(const llvm::Value* value, context_value what) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  if (!call || read_by(*call) != what) {
    return false;
  }
  return llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->isZero();
}

}  // namespace

// The promises become masks of bits that are zero in any case: blockDim.x is a multiple of the width, and so are
// blockIdx.x * blockDim.x and gridDim.x * blockDim.x, which stay below a bound.
void state_launch_condition(llvm::Function& function, unsigned width, bool whole_row) {
  std::vector<std::pair<llvm::Instruction*, uint64_t>> limited;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    using namespace llvm::PatternMatch;
    llvm::Value *a, *b;
    if (reads_x(&instruction, context_value::block_dim)) {
      limited.emplace_back(&instruction, 2047);
    } else if (match(&instruction, m_Mul(m_Value(a), m_Value(b))) && instruction.getType()->isIntegerTy(32)) {
      const bool first = reads_x(a, context_value::block_dim);
      const llvm::Value* other = first ? b : a;
      if ((first || reads_x(b, context_value::block_dim)) &&
          (reads_x(other, context_value::block_index) || reads_x(other, context_value::grid_dim))) {
        limited.emplace_back(&instruction, 2 * largest_row_grid - 1);
      }
    }
  }
  for (auto [instruction, bits] : limited) {
    llvm::IRBuilder<> builder(instruction->getNextNode());
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
    instruction->dropPoisonGeneratingFlags();
    auto* constant = builder.getInt32(static_cast<uint32_t>(bits & ~uint64_t{width - 1}));
    auto* result = llvm::BinaryOperator::CreateAnd(instruction, constant, "", builder.GetInsertPoint());
    instruction->replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != result; });
    if (whole_row && reads_x(instruction, context_value::block_dim)) {
      result->replaceAllUsesWith(builder.getInt32(width));
    }
  }
}

}  // namespace cohort
