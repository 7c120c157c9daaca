// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Varying values that are linear unless a narrow index wraps around. Device code defines signed overflow, so
// `p[blockIdx.x * blockDim.x + i]` has no proof; a compare of lane 0's index at run time takes its place.
#include "gang/shape/shapes.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

constexpr size_t most_conditions = 2;
constexpr int64_t largest_stride = int64_t{1} << 20;

}  // namespace

std::optional<shape_analysis::conditional_stride> shape_analysis::linear_unless_wrapped(
    const llvm::Value* value) const {
  if (const auto known = stride(value)) {
    return conditional_stride{*known, {}};
  }
  const auto found = conditional_.find(value);
  return found == conditional_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<shape_analysis::conditional_stride> shape_analysis::scaled(const llvm::Value* value,
                                                                         int64_t factor) const {
  auto result = linear_unless_wrapped(value);
  if (!result || factor > largest_stride || factor < -largest_stride || result->stride > largest_stride ||
      result->stride < -largest_stride) {
    return std::nullopt;
  }
  result->stride *= factor;
  return result;
}

bool shape_analysis::accumulate(std::optional<conditional_stride>& sum,
                                const std::optional<conditional_stride>& part) const {
  if (!sum || !part) {
    sum = std::nullopt;
    return false;
  }
  sum->stride += part->stride;
  for (const llvm::CastInst* extension : part->extensions) {
    if (!llvm::is_contained(sum->extensions, extension)) {
      sum->extensions.push_back(extension);
    }
  }
  if (sum->extensions.size() > most_conditions) {
    sum = std::nullopt;
  }
  return sum.has_value();
}

std::optional<shape_analysis::conditional_stride> shape_analysis::conditional_shape(
    const llvm::Instruction& instruction) const {
  const auto operand = [&](unsigned i) { return instruction.getOperand(i); };
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
    const auto source = stride(operand(0));
    if (!source || instruction.getType()->getScalarSizeInBits() > 64) {
      return std::nullopt;
    }
    return conditional_stride{*source, {llvm::cast<llvm::CastInst>(&instruction)}};
  }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    auto sum = linear_unless_wrapped(address->getPointerOperand());
    for (auto step = llvm::gep_type_begin(*address); sum && step != llvm::gep_type_end(*address); ++step) {
      const llvm::Value* index = step.getOperand();
      if (is_uniform(index)) {
        continue;
      }
      const auto bytes = step.getSequentialElementStride(function_.getDataLayout()).getFixedValue();
      const bool fits = index->getType()->isIntegerTy(64) && bytes < largest_stride;
      accumulate(sum, fits ? scaled(index, static_cast<int64_t>(bytes)) : std::nullopt);
    }
    return sum;
  }
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (!operation || !operation->getType()->isIntegerTy() || operation->getType()->getIntegerBitWidth() > 64) {
    return std::nullopt;
  }
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand(1));
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      auto sum = linear_unless_wrapped(operand(0));
      accumulate(sum, scaled(operand(1), operation->getOpcode() == llvm::Instruction::Add ? 1 : -1));
      return sum;
    }
    case llvm::Instruction::Mul:
      return constant && constant->getValue().getSignificantBits() <= 20 ? scaled(operand(0), constant->getSExtValue())
                                                                         : std::nullopt;
    case llvm::Instruction::Shl:
      return constant && constant->getValue().ult(20) ? scaled(operand(0), int64_t{1} << constant->getZExtValue())
                                                      : std::nullopt;
    default:
      return std::nullopt;
  }
}

// After solve(): operands come before their users in reverse post-order, but for phis, which have no such shape.
void shape_analysis::find_conditional_strides() {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (const llvm::BasicBlock* block : order) {
    for (const llvm::Instruction& instruction : *block) {
      if (!instruction.getType()->isVoidTy() && is_varying(&instruction)) {
        if (auto found = conditional_shape(instruction)) {
          conditional_[&instruction] = *found;
        }
      }
    }
  }
}

}  // namespace cohort
