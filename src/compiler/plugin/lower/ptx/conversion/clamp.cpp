// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/conversion/clamp.hpp"

#include <algorithm>

#include "llvm/IR/Intrinsics.h"

namespace cohort {

llvm::Value* clamp(llvm::IRBuilder<>& b, llvm::Value* value, bool is_signed, ptx_type to) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const unsigned wide = std::max(bits, to.bits) + 1;  // holds both types
  auto* type = b.getIntNTy(wide);
  value = is_signed ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
  const auto lowest = to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits).sext(wide) : llvm::APInt(wide, 0);
  const auto highest = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits).sext(wide)
                                      : llvm::APInt::getMaxValue(to.bits).zext(wide);
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, b.getInt(lowest));
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, b.getInt(highest));
  return b.CreateTrunc(value, b.getIntNTy(to.bits));
}

}  // namespace cohort
