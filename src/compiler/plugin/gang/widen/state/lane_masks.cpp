// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/lane_masks.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {

llvm::Value* lane_masks::bits(llvm::Value* mask) {
  llvm::Type* type = b_.getIntNTy(types_.width());
  return mask ? b_.CreateBitCast(mask, type) : static_cast<llvm::Value*>(llvm::Constant::getAllOnesValue(type));
}

llvm::Value* lane_masks::any(llvm::Value* mask) { return b_.CreateICmpNE(bits(mask), b_.getIntN(types_.width(), 0)); }

llvm::Value* lane_masks::as_vector(llvm::Value* mask) {
  return mask ? mask : llvm::ConstantInt::getTrue(types_.wide(b_.getInt1Ty()));
}

// A select, not an `and`: the condition of an inactive lane may be poison.
llvm::Value* lane_masks::both(llvm::Value* mask, llvm::Value* condition) {
  return mask ? b_.CreateLogicalAnd(mask, condition) : condition;
}

llvm::Value* lane_masks::to_stored(llvm::Value* mask) {
  return mask && !types_.has_mask_registers() ? b_.CreateSExt(mask, types_.wide(b_.getInt32Ty())) : mask;
}

llvm::Value* lane_masks::from_stored(llvm::Value* mask) {
  return mask && !types_.has_mask_registers() ? b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType()))
                                              : mask;
}

}  // namespace cohort
