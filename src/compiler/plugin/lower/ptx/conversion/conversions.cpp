// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between integers of 8 to 64 bits and floating-point numbers of 16 to 64 bits.
#include "lower/ptx/conversion/clamp.hpp"
#include "lower/ptx/conversion/opcode.hpp"
#include "lower/ptx/floats/modifiers.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

llvm::Value* to_integer(builder& b, llvm::StringRef rounding, llvm::Value* value, ptx_type to) {
  value = round_to_integer(b, rounding, value);
  if (!value) {
    return nullptr;
  }
  // An instruction even for constants: LLVM folds a number out of range to poison. The step for operators gives it
  // PTX's result (arithmetic/device_arithmetic.cpp).
  const auto opcode = to.is_signed() ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
  llvm::Value* word = b.Insert(llvm::CastInst::Create(opcode, value, b.getIntNTy(std::max(to.bits, 32u))));
  return to.bits < 32 ? clamp(b, word, to.is_signed(), to) : word;
}

unsigned precision(unsigned bits) { return bits == 16 ? 11 : bits == 32 ? 24 : 53; }

// To nearest, or exact.
bool rounds_to_nearest(const conversion& conversion) {
  return conversion.rounding.empty() || conversion.rounding == "rn";
}

// An integer needs a rounding if the floating-point format does not hold it.
bool lacks_rounding(const conversion& conversion) {
  const unsigned significant = conversion.from.bits - (conversion.from.is_signed ? 1 : 0);
  return conversion.from.is_integer() && !conversion.to.is_integer() && conversion.rounding.empty() &&
         significant > precision(conversion.to.bits);
}

}  // namespace

// To 16, 32 or 64 bits of IEEE 754. The device library rounds in the other directions.
llvm::Value* ptx_lowering::convert_to_float(const conversion& conversion, llvm::Value* value) {
  const bool is_signed = conversion.from.is_signed;
  llvm::Type* type = type_of(conversion.to.type());
  if (value->getType()->isIntegerTy()) {
    if (rounds_to_nearest(conversion)) {
      return is_signed ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
    }
    return call_conversion(conversion, is_signed ? "s64" : "u64", cast(value, builder_.getInt64Ty(), is_signed));
  }
  if (conversion.rounding.ends_with("i")) {
    return round_to_integer(builder_, conversion.rounding, value);
  }
  const unsigned from = value->getType()->getPrimitiveSizeInBits();
  if (from <= conversion.to.bits) {
    return from == conversion.to.bits ? value : builder_.CreateFPExt(value, type);
  }
  if (conversion.to.is_single() && rounds_to_nearest(conversion)) {
    return builder_.CreateFPTrunc(value, type);
  }
  return call_conversion(conversion, from == 32 ? "f32" : "f64", value);
}

llvm::Value* ptx_lowering::convert(const conversion& conversion, llvm::Value* value) {
  const number_format& to = conversion.to;
  const number_format& from = conversion.from;
  if (from.is_single() && conversion.flushes) {
    value = flush_subnormal(builder_, value);
  }
  if (from.is_integer() && to.is_integer()) {
    return conversion.saturates ? clamp(builder_, value, from.is_signed, to.type())
                                : cast(value, type_of(to.type()), from.is_signed);
  }
  if (to.is_integer()) {
    return to_integer(builder_, conversion.rounding, value, to.type());
  }
  if (conversion.stays_positive) {
    value = clamp_to_positive(builder_, value);
  }
  llvm::Value* result =
      to.kind == number_kind::ieee ? convert_to_float(conversion, value) : convert_to_small_float(conversion, value);
  result = conversion.saturates ? clamp_to_unit(builder_, result) : result;
  result = conversion.stays_finite ? keep_finite(conversion, result) : result;
  return to.is_single() && conversion.flushes ? flush_subnormal(builder_, result) : result;
}

// cvt.rounding.to.from d, a.
bool ptx_lowering::lower_conversion(const ptx_statement& statement) {
  const auto conversion = parse_conversion(statement.opcode);
  const auto& operands = statement.operands;
  if (!conversion || operands.size() < 2 || lacks_rounding(*conversion)) {
    return false;
  }
  if (conversion->to.elements == 2) {
    return lower_packed_conversion(*conversion, operands);
  }
  llvm::Value* value = operands.size() == 2 ? typed_source(operands[1], conversion->from.type()) : nullptr;
  if (!value) {
    return false;
  }
  return write(operands[0], convert(*conversion, read_number(conversion->from, value)), conversion->to.is_signed);
}

}  // namespace cohort
