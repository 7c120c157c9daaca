// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "gang/shape/shapes.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// True at run time if the linear values of all lanes, active or not, lie on one side of the place where numbers wrap
// around. pre: their distance fits the type
llvm::Value* has_lane_order(llvm::IRBuilder<>& b, const shape_analysis& shapes, llvm::Value* linear, int64_t stride,
                            bool is_signed);

}  // namespace cohort
