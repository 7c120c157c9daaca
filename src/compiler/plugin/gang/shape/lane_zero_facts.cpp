// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/shape/lane_zero_facts.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

namespace cohort {
namespace {

constexpr unsigned deepest = 12;  // recursion over operands
constexpr unsigned deepest_range = 4;
constexpr unsigned thread_bits = 10;  // a thread's index is below 1024

// The low bits of `bits` that are known, from bit 0 on.
unsigned known_low_bits(const llvm::KnownBits& bits) { return (bits.Zero | bits.One).countr_one(); }

// Keeps what is known of the low `count` bits.
llvm::KnownBits low_part(llvm::KnownBits bits, unsigned count) {
  bits.Zero &= llvm::APInt::getLowBitsSet(bits.getBitWidth(), count);
  bits.One &= llvm::APInt::getLowBitsSet(bits.getBitWidth(), count);
  return bits;
}

}  // namespace

llvm::KnownBits lane_zero_facts::known_bits(const llvm::Value* value, unsigned depth) const {
  const auto& layout = shapes_.layout();
  const unsigned width = static_cast<unsigned>(layout.getTypeSizeInBits(value->getType()->getScalarType()));
  if (shapes_.is_uniform(value)) {
    return llvm::computeKnownBits(value, layout);
  }
  llvm::KnownBits result(width);
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || shapes_.is_varying(value) || depth > deepest) {
    return result;
  }
  auto operand = [&](unsigned i) { return known_bits(instruction->getOperand(i), depth + 1); };
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Call:  // the thread's index in x
      result.Zero.setLowBits(llvm::Log2_32(shapes_.width()));
      result.Zero.setBitsFrom(thread_bits);
      return result;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return llvm::KnownBits::computeForAddSub(instruction->getOpcode() == llvm::Instruction::Add, false, false,
                                               operand(0), operand(1));
    case llvm::Instruction::Mul:
      return llvm::KnownBits::mul(operand(0), operand(1));
    case llvm::Instruction::Shl:
      return llvm::KnownBits::shl(operand(0), operand(1));
    case llvm::Instruction::And: {
      llvm::KnownBits both = operand(0);
      both &= operand(1);
      return both;
    }
    case llvm::Instruction::ZExt:
      return operand(0).zext(width);
    case llvm::Instruction::SExt:
      return operand(0).sext(width);
    case llvm::Instruction::Trunc:
      return operand(0).trunc(width);
    case llvm::Instruction::Select:
      return operand(1).intersectWith(operand(2));
    case llvm::Instruction::PHI:
      return counter_bits(*llvm::cast<llvm::PHINode>(instruction), depth);
    default:
      return result;
  }
}

// A counter: its low bits are those of the start as long as the steps do not change them.
llvm::KnownBits lane_zero_facts::counter_bits(const llvm::PHINode& phi, unsigned depth) const {
  const auto& layout = shapes_.layout();
  llvm::KnownBits unknown(static_cast<unsigned>(layout.getTypeSizeInBits(phi.getType()->getScalarType())));
  const llvm::Loop* loop = shapes_.loops().getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || phi.getNumIncomingValues() != 2) {
    return unknown;
  }
  const unsigned inside = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(inside));
  if (!next || next->getOpcode() != llvm::Instruction::Add) {
    return unknown;
  }
  const unsigned other = next->getOperand(0) == &phi ? 1 : 0;
  if (next->getOperand(1 - other) != &phi || !shapes_.is_uniform(next->getOperand(other))) {
    return unknown;
  }
  const unsigned step_zeros = llvm::computeKnownBits(next->getOperand(other), layout).countMinTrailingZeros();
  return low_part(known_bits(phi.getIncomingValue(1 - inside), depth + 1), step_zeros);
}

std::optional<llvm::APInt> lane_zero_facts::constant(const llvm::Value* value) const {
  if (!value->getType()->isIntegerTy()) {
    return std::nullopt;
  }
  const llvm::KnownBits bits = known_bits(value);
  return bits.isConstant() ? std::optional(bits.getConstant()) : std::nullopt;
}

std::optional<llvm::APInt> lane_zero_facts::low_bits(const llvm::Value* value, unsigned count) const {
  if (!value->getType()->isIntegerTy()) {
    return std::nullopt;
  }
  const llvm::KnownBits bits = known_bits(value);
  return known_low_bits(bits) >= count ? std::optional(bits.One) : std::nullopt;
}

bool lane_zero_facts::stays_in_low_bits(const llvm::Value* value, unsigned bits) const {
  const int64_t stride = shapes_.stride(value).value_or(0);
  const llvm::KnownBits known = known_bits(value);
  const unsigned low = std::min({known_low_bits(known), bits, 63u});
  const uint64_t start = known.One.extractBitsAsZExtValue(std::max(low, 1u), 0) & ((uint64_t{1} << low) - 1);
  const uint64_t distance = shapes_.span(stride);
  return stride < 0 ? start >= distance : distance < (uint64_t{1} << low) - start;
}

// The values that `value` may have. `n - x` with an index x has a range, but no known bits.
llvm::ConstantRange lane_zero_facts::range(const llvm::Value* value, bool is_signed, unsigned depth) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  auto operand = [&](unsigned i) { return range(instruction->getOperand(i), is_signed, depth + 1); };
  if (instruction && depth < deepest_range && !shapes_.is_varying(value)) {
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Add:
        return operand(0).add(operand(1));
      case llvm::Instruction::Sub:
        return operand(0).sub(operand(1));
      case llvm::Instruction::ZExt:
        return operand(0).zeroExtend(value->getType()->getIntegerBitWidth());
      case llvm::Instruction::SExt:
        return operand(0).signExtend(value->getType()->getIntegerBitWidth());
      default:
        break;
    }
  }
  return llvm::ConstantRange::fromKnownBits(known_bits(value), is_signed);
}

bool lane_zero_facts::cannot_wrap(const llvm::Value* value, bool is_signed) const {
  const int64_t stride = shapes_.stride(value).value_or(0);
  const unsigned width = value->getType()->getIntegerBitWidth();
  if (stride == 0 || stays_in_low_bits(value, is_signed ? width - 1 : width)) {
    return true;
  }
  // 128 bits hold any sum of the extremes and the span.
  const llvm::ConstantRange range = this->range(value, is_signed);
  const llvm::APInt distance(128, shapes_.span(stride));
  if (is_signed) {
    return stride > 0
               ? (range.getSignedMax().sext(128) + distance).sle(llvm::APInt::getSignedMaxValue(width).sext(128))
               : (range.getSignedMin().sext(128) - distance).sge(llvm::APInt::getSignedMinValue(width).sext(128));
  }
  return stride > 0 ? (range.getUnsignedMax().zext(128) + distance).ule(llvm::APInt::getMaxValue(width).zext(128))
                    : range.getUnsignedMin().zext(128).uge(distance);
}

}  // namespace cohort
