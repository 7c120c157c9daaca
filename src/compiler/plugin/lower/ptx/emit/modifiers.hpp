// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modifiers of an opcode as operations on a number.
#pragma once

#include <string_view>

#include "lower/ptx/isa/type.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort::ptx {

llvm::Value* flush_subnormal(llvm::IRBuilder<>& b, llvm::Value* value);    // .ftz: to a zero of its sign
llvm::Value* clamp_to_unit(llvm::IRBuilder<>& b, llvm::Value* value);      // .sat: to [0, 1], NaN to 0
llvm::Value* clamp_to_positive(llvm::IRBuilder<>& b, llvm::Value* value);  // .relu: to 0 or more, NaN stays

/// Clamps to the values of an integer type of fewer bits, or of the other sign. The value may have any number of bits.
llvm::Value* clamp(llvm::IRBuilder<>& b, llvm::Value* value, bool is_signed, type to);

/// Rounds to an integer in floating point: rni, rzi, rmi or rpi.
llvm::Value* round_to_integer(llvm::IRBuilder<>& b, std::string_view rounding, llvm::Value* value);

/// The number of a rounding in the device library's cohort_rounding: rz, rp, rm; 0, to nearest, for other words.
unsigned rounding_number(std::string_view word);

}  // namespace cohort::ptx
