// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers and numbers that an operand takes, by their types: PTX ISA 9.0, 9.4. ptxas refuses all others.
#pragma once

#include <string_view>

#include "lower/ptx/isa/decode.hpp"

namespace cohort::ptx {

/// The type of one register of the operand: a part of "{a, b}" has a part of the bits.
type element_type(const operand& of);

/// True for a type that .reg declares registers of; the others are types of instructions only.
bool is_register_type(type own);

/// True for a register declared with type `own`. Loads, stores and conversions take wider ones, too.
bool takes_register(const instruction& in, const operand& of, type own);

/// True for the special register of that name, such as "tid.x". Only `mov` and `cvt` read them.
bool takes_special_register(const instruction& in, const operand& of, std::string_view name);

/// True if a value of the type may be written as a whole number.
bool takes_integer(type wanted);

/// True if a value of the type may be written as a floating-point number: "0f3f800000" with 32 bits; "1.5" and
/// "0d3ff0000000000000" with 64.
bool takes_float(type wanted, unsigned bits);

}  // namespace cohort::ptx
