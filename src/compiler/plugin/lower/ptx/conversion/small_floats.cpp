// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of formats that IR lacks, or whose rounding it lacks: bf16, tf32, 8-bit floats. The device library converts
// their bits (cudart_detail/device/ptx/conversions.h).
#include "lower/ptx/conversion/opcode.hpp"
#include "lower/ptx/floats/modifiers.hpp"
#include "lower/ptx/ptx_lowering.hpp"

namespace cohort {
namespace {

constexpr unsigned tf32_unit = 1u << 13;  // of the last bit that stays, in the bits of a float

unsigned mantissa_bits(const number_format& float8) { return float8.kind == number_kind::e4m3 ? 3 : 2; }

}  // namespace

// The device library's function from "s64", "u64", "f32" or "f64" to 16 to 64 bits.
llvm::Value* ptx_lowering::call_conversion(const conversion& conversion, llvm::StringRef from, llvm::Value* value) {
  const number_format& to = conversion.to;
  const bool is_half = to.kind == number_kind::ieee && to.bits == 16;
  const std::string name =
      ("cohort_ptx_" + from + "_to_" + (to.kind == number_kind::ieee ? "f" : "bf") + llvm::Twine(to.bits)).str();
  llvm::Type* type = to.bits == 16 ? builder_.getInt16Ty() : type_of(to.type());
  llvm::Value* result = call(name, type, {value, builder_.getInt32(rounding_number(conversion.rounding))});
  return is_half ? builder_.CreateBitCast(result, builder_.getHalfTy()) : result;
}

// A number of `format`, with a type of IR that holds it.
llvm::Value* ptx_lowering::read_number(const number_format& format, llvm::Value* value) {
  if (format.kind == number_kind::bfloat16) {
    return call("cohort_ptx_bf16_to_f32", builder_.getFloatTy(), {value});
  }
  if (format.is_float8()) {
    return call("cohort_ptx_fp8_to_f32", builder_.getFloatTy(), {value, builder_.getInt32(mantissa_bits(format))});
  }
  return cast(value, type_of(format.type()));
}

// To the bits of a bf16, tf32 or 8-bit float.
llvm::Value* ptx_lowering::convert_to_small_float(const conversion& conversion, llvm::Value* value) {
  if (value->getType()->isIntegerTy()) {
    const bool is_signed = conversion.from.is_signed;
    return call_conversion(conversion, is_signed ? "s64" : "u64", cast(value, builder_.getInt64Ty(), is_signed));
  }
  if (value->getType()->isHalfTy()) {
    value = builder_.CreateFPExt(value, builder_.getFloatTy());
  }
  if (conversion.to.kind == number_kind::tf32) {
    llvm::Value* half = builder_.getInt32(conversion.rounding == "rz" ? 0 : tf32_unit / 2);
    llvm::Value* to_even = builder_.getInt32(conversion.rounding == "rn");
    return call("cohort_ptx_f32_to_tf32", builder_.getInt32Ty(), {value, half, to_even});
  }
  if (conversion.to.is_float8()) {
    return call("cohort_ptx_f32_to_fp8", builder_.getInt8Ty(),
                {value, builder_.getInt32(mantissa_bits(conversion.to))});
  }
  if (conversion.rounding.ends_with("i")) {
    value = round_to_integer(builder_, conversion.rounding, value);
  }
  return call_conversion(conversion, value->getType()->isFloatTy() ? "f32" : "f64", value);
}

// .satfinite: infinity becomes the largest number, one unit of the last place below. 8-bit floats are finite already.
llvm::Value* ptx_lowering::keep_finite(const conversion& conversion, llvm::Value* value) {
  if (conversion.to.is_float8()) {
    return value;
  }
  const bool is_half = conversion.to.kind == number_kind::ieee;
  const bool is_tf32 = conversion.to.kind == number_kind::tf32;
  auto* type = builder_.getIntNTy(conversion.to.bits);
  llvm::Value* bits = cast(value, type);
  const uint64_t infinity = is_tf32 ? 0x7f800000 : is_half ? 0x7c00 : 0x7f80;
  auto* magnitude = builder_.CreateAnd(bits, llvm::APInt::getSignedMaxValue(conversion.to.bits));
  auto* is_infinite = builder_.CreateICmpEQ(magnitude, llvm::ConstantInt::get(type, infinity));
  auto* below = builder_.CreateSub(bits, llvm::ConstantInt::get(type, is_tf32 ? tf32_unit : 1));
  return cast(builder_.CreateSelect(is_infinite, below, bits), value->getType());
}

}  // namespace cohort
