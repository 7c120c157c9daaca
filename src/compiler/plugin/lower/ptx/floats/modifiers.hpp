// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of an opcode as operations on a floating-point number.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace cohort {

llvm::Value* flush_subnormal(llvm::IRBuilder<>& builder, llvm::Value* value);    // .ftz: to a zero of its sign
llvm::Value* clamp_to_unit(llvm::IRBuilder<>& builder, llvm::Value* value);      // .sat: to [0, 1], NaN to 0
llvm::Value* clamp_to_positive(llvm::IRBuilder<>& builder, llvm::Value* value);  // .relu: to 0 or more, NaN stays

// Rounds to an integer in floating point: rni, rzi, rmi, rpi. Null for another word.
llvm::Value* round_to_integer(llvm::IRBuilder<>& builder, llvm::StringRef rounding, llvm::Value* value);

// The number of a rounding in the device library's cohort_rounding; 0, to nearest, for other words than rz, rm and rp.
unsigned rounding_number(llvm::StringRef word);

}  // namespace cohort
