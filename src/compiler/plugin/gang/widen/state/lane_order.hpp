// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "gang/shape/shapes.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// True at run time if the linear values of all lanes, active or not, lie on one side of the place where numbers wrap
// around. pre: shapes.span_fits() for their stride and type
llvm::Value* has_lane_order(llvm::IRBuilder<>& b, const shape_analysis& shapes, llvm::Value* linear, int64_t stride,
                            bool is_signed);

// The constant vector 0, stride, 2 * stride, ... of the integer `type`, modulo its width.
llvm::Constant* lane_steps(llvm::Type* type, int64_t stride, unsigned width);

}  // namespace cohort
