// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/shape/derivative.hpp"

#include "analysis/context_calls.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

constexpr unsigned deepest_stride = 12;  // recursion over operands

// A derivative. Null: zero. Empty: the value is not a linear function.
using result = std::optional<llvm::Value*>;

// The derivative of values with respect to blockIdx.x, or to the turns of a loop.
class derivative {
 public:
  // Differentiates by the turns of `loop`; null: by blockIdx.x.
  derivative(llvm::IRBuilder<>& b, const shape_analysis& shapes, const llvm::Loop* loop)
      : b_(b), shapes_(shapes), loop_(loop) {}

  result of(llvm::Value* value, unsigned depth = 0) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || (loop_ && !loop_->contains(instruction))) {
      return nullptr;
    }
    if (depth > deepest_stride) {
      return std::nullopt;
    }
    const auto operand = [&](unsigned i) { return of(instruction->getOperand(i), depth + 1); };
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction); call && read_by(*call)) {
      const bool counts = !loop_ && read_by(*call) == context_value::block_index && is_x(*call);
      return counts ? llvm::ConstantInt::get(call->getType(), 1) : nullptr;
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      return of_phi(*phi, depth);
    }
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      return of_address(*address, depth);
    }
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(instruction)) {
      const result inner = operand(0);
      return inner && *inner ? b_.CreateSExtOrTrunc(*inner, instruction->getType()) : inner;
    }
    if (llvm::isa<llvm::BinaryOperator>(instruction)) {
      return of_operation(*instruction, operand(0), operand(1));
    }
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
      const result inner = operand(i);
      if (!inner || *inner) {
        return std::nullopt;
      }
    }
    return nullptr;
  }

 private:
  // Counters of the loop grow by their step.
  result of_phi(llvm::PHINode& phi, unsigned depth) {
    llvm::Value* step = loop_ ? step_of(phi, *loop_) : nullptr;
    if (step && shapes_.is_uniform(step)) {
      return step;
    }
    llvm::Value* only = phi.hasConstantValue();
    return only ? of(only, depth + 1) : std::nullopt;
  }

  static bool is_x(const llvm::CallInst& call) {
    auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    return axis && axis->isZero();
  }

  result of_operation(llvm::Instruction& operation, result first, result second) {
    using namespace llvm::PatternMatch;
    if (!first || !second) {
      return std::nullopt;
    }
    if (!*first && !*second) {
      return nullptr;
    }
    if (match(&operation, m_AddLike(m_Value(), m_Value()))) {
      return *first && *second ? b_.CreateAdd(*first, *second) : *first ? first : second;
    }
    if (operation.getOpcode() == llvm::Instruction::Sub) {
      return !*second ? first : *first ? b_.CreateSub(*first, *second) : b_.CreateNeg(*second);
    }
    llvm::Value* factor = operation.getOperand(*first ? 1 : 0);
    if ((*first && *second) || !shapes_.is_uniform(factor)) {
      return std::nullopt;
    }
    if (operation.getOpcode() == llvm::Instruction::Mul) {
      return b_.CreateMul(*first ? *first : *second, factor);
    }
    return operation.getOpcode() == llvm::Instruction::Shl && *first ? result(b_.CreateShl(*first, factor))
                                                                     : std::nullopt;
  }

  result of_address(llvm::GetElementPtrInst& address, unsigned depth) {
    result sum = of(address.getPointerOperand(), depth + 1);
    if (!sum || *sum || address.hasAllConstantIndices()) {
      return sum;
    }
    const result index = address.getNumIndices() == 1 ? of(address.getOperand(1), depth + 1) : result();
    if (!index || !*index) {
      return index;
    }
    const uint64_t bytes = address.getDataLayout().getTypeAllocSize(address.getSourceElementType()).getFixedValue();
    return b_.CreateMul(b_.CreateSExtOrTrunc(*index, b_.getInt64Ty()), b_.getInt64(bytes));
  }

  llvm::IRBuilder<>& b_;
  const shape_analysis& shapes_;
  const llvm::Loop* loop_;
};

}  // namespace

llvm::Value* step_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  using namespace llvm::PatternMatch;
  const llvm::BasicBlock* latch = phi.getParent() == loop.getHeader() ? loop.getLoopLatch() : nullptr;
  llvm::Value* step = nullptr;
  const bool counts = latch && match(phi.getIncomingValueForBlock(latch), m_c_Add(m_Specific(&phi), m_Value(step))) &&
                      loop.isLoopInvariant(step);
  return counts ? step : nullptr;
}

std::optional<llvm::Value*> block_stride(llvm::IRBuilder<>& b, llvm::Value* value, const shape_analysis& shapes) {
  return derivative(b, shapes, nullptr).of(value);
}

std::optional<llvm::Value*> turn_stride(llvm::IRBuilder<>& b, llvm::Value* value, const llvm::Loop& loop,
                                        const shape_analysis& shapes) {
  return derivative(b, shapes, &loop).of(value);
}

}  // namespace cohort
