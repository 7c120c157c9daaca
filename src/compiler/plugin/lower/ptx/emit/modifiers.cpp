// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/modifiers.hpp"

#include <algorithm>

#include "llvm/IR/Intrinsics.h"

namespace cohort::ptx {

llvm::Value* flush_subnormal(llvm::IRBuilder<>& b, llvm::Value* value) {
  const auto smallest = llvm::APFloat::getSmallestNormalized(value->getType()->getFltSemantics());
  auto* is_tiny = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value),
                                  llvm::ConstantFP::get(value->getType(), smallest));
  auto* zero = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::ConstantFP::get(value->getType(), 0.0), value);
  return b.CreateSelect(is_tiny, zero, value);
}

llvm::Value* clamp_to_unit(llvm::IRBuilder<>& b, llvm::Value* value) {
  auto* zero = llvm::ConstantFP::get(value->getType(), 0.0);
  auto* one = llvm::ConstantFP::get(value->getType(), 1.0);
  auto* above = b.CreateSelect(b.CreateFCmpOGT(value, zero), value, zero);  // NaN becomes 0
  return b.CreateSelect(b.CreateFCmpOLT(above, one), above, one);
}

llvm::Value* clamp_to_positive(llvm::IRBuilder<>& b, llvm::Value* value) {
  auto* zero = llvm::ConstantFP::get(value->getType(), 0.0);
  return b.CreateSelect(b.CreateFCmpUGT(value, zero), value, zero);
}

llvm::Value* clamp(llvm::IRBuilder<>& b, llvm::Value* value, bool is_signed, type to) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const unsigned wide = std::max(bits, to.bits) + 1;  // one bit more than both types, to hold all values
  auto* wide_type = b.getIntNTy(wide);
  value = is_signed ? b.CreateSExt(value, wide_type) : b.CreateZExt(value, wide_type);
  const auto lowest = to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits).sext(wide) : llvm::APInt(wide, 0);
  const auto highest = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits).sext(wide)
                                      : llvm::APInt::getMaxValue(to.bits).zext(wide);
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, b.getInt(lowest));
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, b.getInt(highest));
  return b.CreateTrunc(value, b.getIntNTy(to.bits));
}

llvm::Value* round_to_integer(llvm::IRBuilder<>& b, std::string_view rounding, llvm::Value* value) {
  const llvm::Intrinsic::ID id = rounding == "rni"   ? llvm::Intrinsic::roundeven
                                 : rounding == "rzi" ? llvm::Intrinsic::trunc
                                 : rounding == "rmi" ? llvm::Intrinsic::floor
                                                     : llvm::Intrinsic::ceil;
  return b.CreateUnaryIntrinsic(id, value);
}

unsigned rounding_number(std::string_view word) { return word == "rz" ? 1 : word == "rp" ? 2 : word == "rm" ? 3 : 0; }

}  // namespace cohort::ptx
