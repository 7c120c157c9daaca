// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/lane_order.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"

namespace cohort {

llvm::Value* has_lane_order(llvm::IRBuilder<>& b, const shape_analysis& shapes, llvm::Value* linear, int64_t stride,
                            bool is_signed) {
  const unsigned width = linear->getType()->getIntegerBitWidth();
  const llvm::APInt distance(width, shapes.span(stride));
  if (stride > 0) {
    const llvm::APInt largest = is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
    return b.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, linear,
                        llvm::ConstantInt::get(b.getContext(), largest - distance));
  }
  const llvm::APInt least = is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width);
  return b.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE, linear,
                      llvm::ConstantInt::get(b.getContext(), least + distance));
}

llvm::Constant* lane_steps(llvm::Type* type, int64_t stride, unsigned width) {
  llvm::SmallVector<llvm::Constant*, 64> steps;
  for (unsigned lane = 0; lane < width; ++lane) {
    const llvm::APInt step(64, static_cast<uint64_t>(stride * static_cast<int64_t>(lane)));
    steps.push_back(llvm::ConstantInt::get(type, step.trunc(type->getIntegerBitWidth())));
  }
  return llvm::ConstantVector::get(steps);
}

}  // namespace cohort
