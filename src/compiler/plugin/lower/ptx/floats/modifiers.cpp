// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/floats/modifiers.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {

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
  auto* above = b.CreateSelect(b.CreateFCmpOGT(value, zero), value, zero);  // NaN compares false
  return b.CreateSelect(b.CreateFCmpOLT(above, one), above, one);
}

llvm::Value* clamp_to_positive(llvm::IRBuilder<>& b, llvm::Value* value) {
  auto* zero = llvm::ConstantFP::get(value->getType(), 0.0);
  return b.CreateSelect(b.CreateFCmpUGT(value, zero), value, zero);
}

llvm::Value* round_to_integer(llvm::IRBuilder<>& b, llvm::StringRef rounding, llvm::Value* value) {
  if (rounding == "rni") return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, value);
  if (rounding == "rzi") return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, value);
  if (rounding == "rmi") return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, value);
  return rounding == "rpi" ? b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, value) : nullptr;
}

unsigned rounding_number(llvm::StringRef word) {
  return llvm::StringSwitch<unsigned>(word).Case("rz", 1).Case("rp", 2).Case("rm", 3).Default(0);
}

}  // namespace cohort
