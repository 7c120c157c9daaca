// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Varying values that are linear unless a narrow index wraps around. Device code defines signed overflow, so
// `p[blockIdx.x * blockDim.x + i]` has no proof; a compare of lane 0's index at run time takes its place.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CastInst;
class Function;
class Value;
}  // namespace llvm

namespace cohort {

class shape_analysis;

// Lane l has lane 0's value + l * stride, unless the operand of a cast in `extensions` wraps around between lanes.
struct conditional_stride {
  int64_t stride;
  llvm::SmallVector<const llvm::CastInst*, 2> extensions;
};

using conditional_strides = llvm::DenseMap<const llvm::Value*, conditional_stride>;

// The conditional strides of the function's varying values. pre: the shapes are solved
conditional_strides find_conditional_strides(llvm::Function& function, const shape_analysis& shapes);

// The stride of a linear value, or the conditional stride that was found for `value`.
std::optional<conditional_stride> known_stride(const llvm::Value* value, const shape_analysis& shapes,
                                               const conditional_strides& found);

}  // namespace cohort
