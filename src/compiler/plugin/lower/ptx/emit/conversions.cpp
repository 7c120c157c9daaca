// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between integers, floating-point numbers, and formats that IR lacks, or whose rounding it lacks: the device
// library converts those (cudart_detail/device/ptx/conversions.h). A format without a type of IR is its bits.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/modifiers.hpp"
#include "lower/ptx/emit/registers.hpp"

#include "llvm/IR/InstrTypes.h"

namespace cohort::ptx {
namespace {

constexpr unsigned tf32_unit = 1u << 13;  // the weight of tf32's last mantissa bit, in the bits of a float

// One element of a conversion.
struct conversion {
  type to, from;
  std::string_view rounding;  // rn, rni ...; may be empty
};

conversion conversion_of(const emission& e) {
  type to = e.of(0), from = e.op.operands[1].value_type;
  to.elements = from.elements = 1;
  return {to, from, e.op.one_of({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"})};
}

unsigned mantissa_bits(type float8) { return float8.kind == type_kind::e4m3 ? 3 : 2; }

// The sources of the device library's conversions with a rounding.
enum class library_source { s64, u64, f32, f64 };

// The device library's function from `from` to 16 to 64 bits; `none`: IR has the conversion.
ptx_call library_function(library_source from, type to) {
  static constexpr struct {
    type_kind kind;
    unsigned bits;
    ptx_call from[4];  // indexed by library_source
  } functions[] = {
#define FROM(source, to) ptx_call::cohort_ptx_##source##_to_##to
      {type_kind::bfloat16, 16, {FROM(s64, bf16), FROM(u64, bf16), FROM(f32, bf16), FROM(f64, bf16)}},
      {type_kind::ieee, 16, {FROM(s64, f16), FROM(u64, f16), FROM(f32, f16), FROM(f64, f16)}},
      {type_kind::ieee, 32, {FROM(s64, f32), FROM(u64, f32), ptx_call::none, FROM(f64, f32)}},
      {type_kind::ieee, 64, {FROM(s64, f64), FROM(u64, f64), ptx_call::none, ptx_call::none}},
#undef FROM
  };
  const auto* row = llvm::find_if(functions, [&](const auto& f) { return f.kind == to.kind && f.bits == to.bits; });
  return row == std::end(functions) ? ptx_call::none : row->from[static_cast<size_t>(from)];
}

llvm::Value* library_conversion(builder& b, const conversion& c, library_source from, llvm::Value* value) {
  llvm::Value* result = call(b, library_function(from, c.to), {value, b.getInt32(rounding_number(c.rounding))});
  return c.to.is_ieee() && c.to.bits == 16 ? b.CreateBitCast(result, b.getHalfTy()) : result;
}

llvm::Value* round_integer(builder& b, const conversion& c, llvm::Value* value) {
  const bool is_signed = c.from.is_signed();
  return library_conversion(b, c, is_signed ? library_source::s64 : library_source::u64,
                            cast(b, value, b.getInt64Ty(), is_signed));
}

// A number of the source's format, with a type of IR that holds it.
llvm::Value* read_number(builder& b, type from, llvm::Value* value) {
  if (from.kind == type_kind::bfloat16) {
    return call(b, ptx_call::cohort_ptx_bf16_to_f32, {value});
  }
  if (from.is_float8()) {
    return call(b, ptx_call::cohort_ptx_fp8_to_f32, {value, b.getInt32(mantissa_bits(from))});
  }
  return cast(b, value, ir_type(b, from));
}

llvm::Value* to_integer(builder& b, const conversion& c, llvm::Value* value) {
  value = round_to_integer(b, c.rounding, value);
  // An instruction even for constants: LLVM folds a number out of range to poison. The step for operators gives it
  // PTX's result (arithmetic/device_arithmetic.cpp).
  const auto opcode = c.to.is_signed() ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
  llvm::Value* word = b.Insert(llvm::CastInst::Create(opcode, value, b.getIntNTy(std::max(c.to.bits, 32u))));
  return c.to.bits < 32 ? clamp(b, word, c.to.is_signed(), c.to) : word;
}

// Converts `value` to 16, 32 or 64 bits of IEEE 754. The device library rounds in the other directions.
llvm::Value* to_float(builder& b, const conversion& c, llvm::Value* value) {
  llvm::Type* type = ir_type(b, c.to);
  const bool is_to_nearest = c.rounding.empty() || c.rounding == "rn";
  if (value->getType()->isIntegerTy()) {
    if (!is_to_nearest) {
      return round_integer(b, c, value);
    }
    return c.from.is_signed() ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  }
  if (c.rounding.ends_with('i')) {
    return round_to_integer(b, c.rounding, value);
  }
  const unsigned from = value->getType()->getPrimitiveSizeInBits();
  if (from <= c.to.bits) {
    return from == c.to.bits ? value : b.CreateFPExt(value, type);
  }
  if (c.to.is_single() && is_to_nearest) {
    return b.CreateFPTrunc(value, type);
  }
  return library_conversion(b, c, from == 32 ? library_source::f32 : library_source::f64, value);
}

// Converts `value` to the bits of a bf16, tf32 or 8-bit float.
llvm::Value* to_small_float(builder& b, const conversion& c, llvm::Value* value) {
  if (value->getType()->isIntegerTy()) {
    return round_integer(b, c, value);
  }
  if (value->getType()->isHalfTy()) {
    value = b.CreateFPExt(value, b.getFloatTy());
  }
  if (c.to.kind == type_kind::tf32) {
    llvm::Value* half = b.getInt32(c.rounding == "rz" ? 0 : tf32_unit / 2);
    llvm::Value* to_even = b.getInt32(c.rounding == "rn");
    return call(b, ptx_call::cohort_ptx_f32_to_tf32, {value, half, to_even});
  }
  if (c.to.is_float8()) {
    return call(b, ptx_call::cohort_ptx_f32_to_fp8, {value, b.getInt32(mantissa_bits(c.to))});
  }
  if (c.rounding.ends_with('i')) {
    value = round_to_integer(b, c.rounding, value);
  }
  return library_conversion(b, c, value->getType()->isFloatTy() ? library_source::f32 : library_source::f64, value);
}

// .satfinite: infinity becomes the largest number, one unit of the last place below. 8-bit floats are finite already.
llvm::Value* keep_finite(builder& b, const conversion& c, llvm::Value* value) {
  if (c.to.is_float8()) {
    return value;
  }
  const bool is_tf32 = c.to.kind == type_kind::tf32;
  auto* type = b.getIntNTy(c.to.bits);
  llvm::Value* bits = cast(b, value, type);
  const uint64_t infinity = is_tf32 ? 0x7f800000 : c.to.is_ieee() ? 0x7c00 : 0x7f80;
  auto* magnitude = b.CreateAnd(bits, llvm::APInt::getSignedMaxValue(c.to.bits));
  auto* is_infinite = b.CreateICmpEQ(magnitude, llvm::ConstantInt::get(type, infinity));
  auto* below = b.CreateSub(bits, llvm::ConstantInt::get(type, is_tf32 ? tf32_unit : 1));
  return cast(b, b.CreateSelect(is_infinite, below, bits), value->getType());
}

llvm::Value* converted(emission& e, const conversion& c, llvm::Value* value) {
  auto& b = e.b;
  value = read_number(b, c.from, value);
  const bool flushes = e.op.has("ftz"), saturates = e.op.has("sat");
  if (c.from.is_single() && flushes) {
    value = flush_subnormal(b, value);
  }
  if (c.from.is_integer() && c.to.is_integer()) {
    const bool is_signed = c.from.is_signed();
    return saturates ? clamp(b, value, is_signed, c.to) : cast(b, value, ir_type(b, c.to), is_signed);
  }
  if (c.to.is_integer()) {
    return to_integer(b, c, value);
  }
  value = e.op.has("relu") ? clamp_to_positive(b, value) : value;
  llvm::Value* result = c.to.is_ieee() ? to_float(b, c, value) : to_small_float(b, c, value);
  result = saturates ? clamp_to_unit(b, result) : result;
  result = e.op.has("satfinite") ? keep_finite(b, c, result) : result;
  return c.to.is_single() && flushes ? flush_subnormal(b, result) : result;
}

}  // namespace

results convert(emission& e) { return converted(e, conversion_of(e), e.in[0]); }

// cvt.rn.f16x2.f32 d, upper, lower; cvt.rn.f16x2.e4m3x2 d, pair.
results convert_pair(emission& e) {
  auto& b = e.b;
  const conversion c = conversion_of(e);
  llvm::Value* result = nullptr;
  for (const bool is_upper : {true, false}) {
    llvm::Value* value = e.in[is_upper ? 0 : e.in.size() - 1];
    if (e.in.size() == 1) {
      value = b.CreateTrunc(is_upper ? b.CreateLShr(value, c.from.bits) : value, b.getIntNTy(c.from.bits));
    }
    llvm::Value* bits = cast(b, converted(e, c, value), b.getIntNTy(c.to.bits));
    bits = b.CreateZExt(bits, b.getIntNTy(2 * c.to.bits));
    result = is_upper ? b.CreateShl(bits, c.to.bits) : b.CreateOr(result, bits);
  }
  return result;
}

// Integers of 16 bits and fewer, the first operand above the second. Below 16 bits, the third moves up to make room.
results pack_integers(emission& e) {
  auto& b = e.b;
  const unsigned bits = e.of().bits;
  llvm::Value* result = e.in.size() == 3 ? e.in[2] : b.getInt32(0);
  for (llvm::Value* value : e.in.take_front(2)) {
    value = b.CreateZExt(clamp(b, value, true, e.of()), b.getInt32Ty());
    result = b.CreateOr(b.CreateShl(result, bits), value);
  }
  return result;
}

}  // namespace cohort::ptx
