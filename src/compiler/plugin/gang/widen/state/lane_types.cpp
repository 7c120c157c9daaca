// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/lane_types.hpp"

#include "gang/target/function_target.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace cohort {

lane_types::lane_types(const llvm::Function& function, unsigned width)
    : layout_(function.getDataLayout()), width_(width), target_(target_of(function)) {}

llvm::Type* lane_types::wide(llvm::Type* type) const {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<llvm::Type*, 4> parts;
    for (llvm::Type* part : record->elements()) {
      parts.push_back(wide(part));
    }
    return llvm::StructType::get(type->getContext(), parts);
  }
  return llvm::FixedVectorType::get(type, width_);
}

bool lane_types::has_lanes(llvm::Type* type) const {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    return llvm::all_of(record->elements(), [&](auto* part) { return has_lanes(part); });
  }
  return type->isPointerTy() || type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool lane_types::is_plain(llvm::Type* type) const {
  const uint64_t bits = layout_.getTypeSizeInBits(type);
  return has_lanes(type) && !type->isStructTy() && bits >= 8 && llvm::isPowerOf2_64(bits);
}

bool lane_types::has_gathers(llvm::Type* type) const {
  return layout_.getTypeSizeInBits(type) >= 32 && target_.gathers;
}

bool lane_types::has_scatters(llvm::Type* type) const {
  return layout_.getTypeSizeInBits(type) >= 32 && target_.has_mask_registers;
}

}  // namespace cohort
