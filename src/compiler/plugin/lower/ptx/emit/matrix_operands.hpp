// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of products of matrices in the memory of a thread.
#pragma once

#include <cstdint>

#include "lower/ptx/isa/decode.hpp"
#include "lower/ptx/isa/type.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort::ptx {

/// The shape of a product: "m16n8k32" is 16, 8 and 32. Zeros without such a word.
struct matrix_shape {
  unsigned m = 0, n = 0, k = 0;
};
matrix_shape shape_of(const instruction& instruction);

/// The number of cohort_element.
uint8_t element_of(type of);

/// A variable for an operand, one of the function for all of its products of that size: gangs have few bytes for the
/// locals of a lane.
llvm::AllocaInst* operand_variable(llvm::IRBuilder<>& b, uint64_t bytes);

llvm::Value* byte_at(llvm::IRBuilder<>& b, llvm::Value* start, uint64_t offset);

}  // namespace cohort::ptx
