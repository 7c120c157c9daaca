// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives device code the results of PTX where C++ leaves an operation undefined and LLVM would exploit it: shifts by
// the width or more, integer division by zero, signed overflow, conversions of numbers that do not fit, a bool with
// another byte than 0 and 1. The rules are those of PTX ISA (shl, shr, div, rem, cvt, min, max) and of nvcc (bool);
// where the ISA leaves a result open, the rule is what an H200 gives.
#include <cmath>

#include "lowering.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace cohort {
namespace {

using llvm::Value;

unsigned width_of(const Value& value) { return value.getType()->getScalarSizeInBits(); }

llvm::Constant* zero(const Value& like) { return llvm::Constant::getNullValue(like.getType()); }
llvm::Constant* all_ones(const Value& like) { return llvm::Constant::getAllOnesValue(like.getType()); }
llvm::Constant* number(const Value& like, uint64_t n) { return llvm::ConstantInt::get(like.getType(), n); }

// The element of a constant, or of a vector of equal constants; null for any other value.
const llvm::APInt* constant_of(const Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    return &constant->getValue();
  }
  if (const auto* vector = llvm::dyn_cast<llvm::Constant>(&value)) {
    if (const auto* splat = llvm::dyn_cast_or_null<llvm::ConstantInt>(vector->getSplatValue())) {
      return &splat->getValue();
    }
  }
  return nullptr;
}

// shl and shr.u give 0 and shr.s gives the sign when the amount reaches the width. The amount of a 64-bit shift has
// 32 bits in PTX, and nvcc drops the upper half of a 64-bit amount.
Value* shift(llvm::IRBuilder<>& b, llvm::BinaryOperator& original) {
  Value* value = original.getOperand(0);
  Value* amount = original.getOperand(1);
  const unsigned width = width_of(original);
  const llvm::APInt* known = constant_of(*amount);
  if (width > 64 || (known && known->ult(width))) {
    return nullptr;
  }
  if (width == 64) {
    amount = b.CreateAnd(amount, number(*amount, 0xffffffffu));
  }
  if (original.getOpcode() == llvm::Instruction::AShr) {
    return b.CreateAShr(value, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, number(*amount, width - 1)));
  }
  Value* fits = b.CreateICmpULT(amount, number(*amount, width));
  return b.CreateSelect(fits, b.CreateBinOp(original.getOpcode(), value, amount), zero(original));
}

// Division by zero gives all ones, quotient and remainder alike. In 64 bits, nvcc divides numbers below 2^32 in 32 bits
// and extends the result. The most negative number divided by -1 wraps around.
Value* divide(llvm::IRBuilder<>& b, llvm::BinaryOperator& original) {
  using op = llvm::Instruction;
  Value* dividend = original.getOperand(0);
  Value* divisor = original.getOperand(1);
  const auto opcode = original.getOpcode();
  const bool is_signed = opcode == op::SDiv || opcode == op::SRem;
  const llvm::APInt* known = constant_of(*divisor);
  if (width_of(original) > 64 || (known && !known->isZero() && !(is_signed && known->isAllOnes()))) {
    return nullptr;
  }
  divisor = b.CreateFreeze(divisor);
  Value* by_zero = b.CreateICmpEQ(divisor, zero(original));
  Value* replaced = by_zero;
  Value* by_minus_one = nullptr;
  if (is_signed) {
    by_minus_one = b.CreateICmpEQ(divisor, all_ones(original));
    replaced = b.CreateICmpULE(b.CreateAdd(divisor, number(original, 1)), number(original, 1));
  }
  Value* result = b.CreateBinOp(opcode, dividend, b.CreateSelect(replaced, number(original, 1), divisor));
  if (opcode == op::SDiv) {
    result = b.CreateSelect(by_minus_one, b.CreateNeg(dividend), result);
  }
  Value* of_zero = all_ones(original);
  if (width_of(original) == 64) {
    Value* short_dividend = b.CreateICmpULE(dividend, number(original, 0xffffffffu));
    of_zero = b.CreateSelect(short_dividend, number(original, 0xffffffffu), of_zero);
  }
  return b.CreateSelect(by_zero, of_zero, result);
}

// cvt.rzi saturates. Results of 8 and 16 bits are the low bits of a 32-bit one. NaN gives 0 for half and float to 32
// bits, else only the top bit. Comparisons and selects, because LLVM makes branches of its saturating intrinsics.
Value* to_integer(llvm::IRBuilder<>& b, llvm::CastInst& original) {
  Value* source = original.getOperand(0);
  llvm::Type* from = source->getType()->getScalarType();
  const unsigned width = width_of(original);
  if (width > 64 || width == 1 ||
      !(from->isHalfTy() || from->isBFloatTy() || from->isFloatTy() || from->isDoubleTy())) {
    return nullptr;
  }
  if (from->isHalfTy()) {
    // A half cannot represent the bounds of the integers, a float can.
    source = b.CreateFPExt(source, source->getType()->getWithNewType(b.getFloatTy()));
  }
  const bool is_signed = llvm::isa<llvm::FPToSIInst>(original);
  const unsigned result_width = width <= 32 ? 32 : 64;
  llvm::Type* target = original.getType()->getWithNewBitWidth(result_width);
  auto bound = [&](unsigned exponent, bool negative) {  // a power of two, or 0
    return llvm::ConstantFP::get(source->getType(), std::ldexp(negative ? -1.0 : 1.0, static_cast<int>(exponent)));
  };
  auto integer = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(target, value); };
  // One instruction each on x86, which gives the bound for NaN.
  Value* const least = is_signed ? bound(result_width - 1, true) : llvm::Constant::getNullValue(source->getType());
  Value* in_range = b.CreateSelect(b.CreateFCmpOGT(source, least), source, least);
  const llvm::APInt highest =
      is_signed ? llvm::APInt::getSignedMaxValue(result_width) : llvm::APInt::getMaxValue(result_width);
  const bool holds_highest = from->isDoubleTy() && result_width == 32;
  if (holds_highest) {
    Value* const most = llvm::ConstantFP::get(source->getType(), highest.roundToDouble(is_signed));
    in_range = b.CreateSelect(b.CreateFCmpOLT(in_range, most), in_range, most);
  }
  Value* result = b.CreateFreeze(is_signed ? b.CreateFPToSI(in_range, target) : b.CreateFPToUI(in_range, target));
  if (!holds_highest) {
    Value* const behind = bound(is_signed ? result_width - 1 : result_width, false);
    result = b.CreateSelect(b.CreateFCmpOGE(source, behind), integer(highest), result);
  }
  const bool nan_is_top_bit = result_width == 64 || from->isDoubleTy();
  if (nan_is_top_bit != is_signed) {
    result = b.CreateSelect(
        b.CreateFCmpUNO(source, source),
        integer(nan_is_top_bit ? llvm::APInt::getSignMask(result_width) : llvm::APInt(result_width, 0)), result);
  }
  return width == result_width ? result : b.CreateTrunc(result, original.getType());
}

// min and max order the zeros: -0 is less than +0. LLVM's minnum and maxnum leave their order open.
Value* extreme(llvm::IRBuilder<>& b, llvm::IntrinsicInst& original) {
  Value* x = original.getArgOperand(0);
  Value* y = original.getArgOperand(1);
  if (original.hasNoSignedZeros() || width_of(original) > 64) {
    return nullptr;
  }
  llvm::Type* words = original.getType()->getWithNewType(b.getIntNTy(width_of(original)));
  Value* first = b.CreateBitCast(x, words);
  Value* second = b.CreateBitCast(y, words);
  const bool smaller = original.getIntrinsicID() == llvm::Intrinsic::minnum;
  Value* of_equals = smaller ? b.CreateOr(first, second) : b.CreateAnd(first, second);
  Value* ordered = b.CreateBinaryIntrinsic(original.getIntrinsicID(), x, y, &original);
  return b.CreateSelect(b.CreateFCmpOEQ(x, y), b.CreateBitCast(of_equals, original.getType()), ordered);
}

// A bool is true if its byte is not zero. clang keeps the lowest bit, and takes the byte for 0 or 1.
Value* truth(llvm::IRBuilder<>& b, llvm::TruncInst& original) {
  auto* byte = llvm::dyn_cast<llvm::LoadInst>(original.getOperand(0));
  if (!byte || !byte->getType()->isIntegerTy(8) || !original.getType()->isIntegerTy(1)) {
    return nullptr;
  }
  byte->setMetadata(llvm::LLVMContext::MD_range, nullptr);
  return b.CreateICmpNE(byte, zero(*byte));
}

Value* replacement(llvm::Instruction& instruction) {
  llvm::IRBuilder<> b(&instruction);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return shift(b, llvm::cast<llvm::BinaryOperator>(instruction));
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return divide(b, llvm::cast<llvm::BinaryOperator>(instruction));
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
      return to_integer(b, llvm::cast<llvm::CastInst>(instruction));
    case llvm::Instruction::Trunc:
      return truth(b, llvm::cast<llvm::TruncInst>(instruction));
    default:
      break;
  }
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::minnum || call->getIntrinsicID() == llvm::Intrinsic::maxnum) {
      return extreme(b, *call);
    }
    if (call->getIntrinsicID() == llvm::Intrinsic::abs) {
      call->setArgOperand(1, b.getFalse());  // abs of the most negative number is itself
    }
  }
  return nullptr;
}

}  // namespace

void lower_device_arithmetic(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::Instruction*, Value*>, 0> replaced;
  for (llvm::Function& function : module) {
    replaced.clear();
    // New instructions stand before the one that they replace, so this walk does not visit them.
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
        instruction.setHasNoSignedWrap(false);  // signed arithmetic wraps around
      }
      if (Value* value = replacement(instruction)) {
        if (auto* made = llvm::dyn_cast<llvm::Instruction>(value)) {
          made->takeName(&instruction);
        }
        replaced.emplace_back(&instruction, value);
      }
    }
    for (auto [instruction, value] : replaced) {
      instruction->replaceAllUsesWith(value);
      instruction->eraseFromParent();
    }
  }
}

}  // namespace cohort
