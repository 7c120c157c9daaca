// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/shape/conditional_strides.hpp"

#include <utility>

#include "gang/shape/shapes.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

constexpr size_t most_conditions = 2;
constexpr int64_t largest_stride = int64_t{1} << 20;

using possible_stride = std::optional<conditional_stride>;

class conditional_solver {
 public:
  conditional_solver(llvm::Function& function, const shape_analysis& shapes) : function_(function), shapes_(shapes) {}

  // Operands come before their users in reverse post-order, but for phis, which have no conditional stride.
  conditional_strides solve() {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (const llvm::BasicBlock* block : order) {
      for (const llvm::Instruction& instruction : *block) {
        if (!instruction.getType()->isVoidTy() && shapes_.is_varying(&instruction)) {
          if (auto found = transfer(instruction)) {
            found_[&instruction] = *found;
          }
        }
      }
    }
    return std::move(found_);
  }

 private:
  possible_stride of(const llvm::Value* value) const { return known_stride(value, shapes_, found_); }

  possible_stride scaled(const llvm::Value* value, int64_t factor) const {
    auto result = of(value);
    if (!result || factor > largest_stride || factor < -largest_stride || result->stride > largest_stride ||
        result->stride < -largest_stride) {
      return std::nullopt;
    }
    result->stride *= factor;
    return result;
  }

  static void accumulate(possible_stride& sum, const possible_stride& part) {
    if (!sum || !part) {
      sum = std::nullopt;
      return;
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
  }

  possible_stride transfer(const llvm::Instruction& instruction) const {
    const auto operand = [&](unsigned i) { return instruction.getOperand(i); };
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
      const auto source = shapes_.stride(operand(0));
      if (!source || instruction.getType()->getScalarSizeInBits() > 64) {
        return std::nullopt;
      }
      return conditional_stride{*source, {llvm::cast<llvm::CastInst>(&instruction)}};
    }
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      auto sum = of(address->getPointerOperand());
      for (auto step = llvm::gep_type_begin(*address); sum && step != llvm::gep_type_end(*address); ++step) {
        const llvm::Value* index = step.getOperand();
        if (shapes_.is_uniform(index)) {
          continue;
        }
        const auto bytes = step.getSequentialElementStride(shapes_.layout()).getFixedValue();
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
        auto sum = of(operand(0));
        accumulate(sum, scaled(operand(1), operation->getOpcode() == llvm::Instruction::Add ? 1 : -1));
        return sum;
      }
      case llvm::Instruction::Mul:
        return constant && constant->getValue().getSignificantBits() <= 20
                   ? scaled(operand(0), constant->getSExtValue())
                   : std::nullopt;
      case llvm::Instruction::Shl:
        return constant && constant->getValue().ult(20) ? scaled(operand(0), int64_t{1} << constant->getZExtValue())
                                                        : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  llvm::Function& function_;
  const shape_analysis& shapes_;
  conditional_strides found_;
};

}  // namespace

possible_stride known_stride(const llvm::Value* value, const shape_analysis& shapes, const conditional_strides& found) {
  if (const auto known = shapes.stride(value)) {
    return conditional_stride{*known, {}};
  }
  const auto place = found.find(value);
  return place == found.end() ? std::nullopt : possible_stride(place->second);
}

conditional_strides find_conditional_strides(llvm::Function& function, const shape_analysis& shapes) {
  return conditional_solver(function, shapes).solve();
}

}  // namespace cohort
