// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of vectors by constants.
#pragma once

#include <cohort/base/lane_mask.hpp>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

constexpr int lane_count = static_cast<int>(detail::mask_size);

// The numbers first, first + step, ...
inline llvm::SmallVector<int, 64> every(int first, int step, int count) {
  llvm::SmallVector<int, 64> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(first + i * step);
  }
  return result;
}

// `count` adjacent elements.
inline llvm::Value* slice(llvm::IRBuilder<>& b, llvm::Value* vector, int first, int count) {
  return b.CreateShuffleVector(vector, every(first, 1, count));
}

}  // namespace cohort
