// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between integers of 8 to 64 bits and floating-point numbers of 16 to 64 bits. A conversion to a number that
// cannot hold all values rounds to nearest; other roundings to floating-point numbers are refused.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

unsigned precision(unsigned bits) { return bits == 16 ? 11 : bits == 32 ? 24 : 53; }

// Clamps to the values of an integer type of fewer bits, or of the other sign.
llvm::Value* clamp(builder& b, llvm::Value* value, bool is_signed, ptx_type to) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const unsigned wide = std::max(bits, to.bits) + 1;  // holds both types
  auto* type = b.getIntNTy(wide);
  value = is_signed ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
  const auto lowest = to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits).sext(wide) : llvm::APInt(wide, 0);
  const auto highest = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits).sext(wide)
                                      : llvm::APInt::getMaxValue(to.bits).zext(wide);
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, b.getInt(lowest));
  value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, b.getInt(highest));
  return b.CreateTrunc(value, b.getIntNTy(to.bits));
}

// Rounds to an integer in floating point: rni, rzi, rmi, rpi. Null for another word.
llvm::Value* round_to_integer(builder& b, llvm::StringRef rounding, llvm::Value* value) {
  if (rounding == "rni") return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, value);
  if (rounding == "rzi") return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, value);
  if (rounding == "rmi") return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, value);
  return rounding == "rpi" ? b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, value) : nullptr;
}

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

llvm::Value* to_float(builder& b, llvm::StringRef rounding, llvm::Value* value, ptx_type from, llvm::Type* type) {
  const unsigned significant = from.bits - (from.is_signed() ? 1 : 0);
  if (rounding != "rn" && significant > precision(type->getPrimitiveSizeInBits())) {
    return nullptr;
  }
  return from.is_signed() ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
}

llvm::Value* between_floats(builder& b, llvm::StringRef rounding, llvm::Value* value, llvm::Type* type) {
  const unsigned from = value->getType()->getPrimitiveSizeInBits();
  const unsigned to = type->getPrimitiveSizeInBits();
  if (from < to) {
    return b.CreateFPExt(value, type);
  }
  if (from > to) {
    return rounding == "rn" ? b.CreateFPTrunc(value, type) : nullptr;
  }
  return rounding.empty() ? value : round_to_integer(b, rounding, value);
}

}  // namespace

// cvt.rounding.sat.to.from d, a.
bool ptx_lowering::lower_conversion(const ptx_statement& statement) {
  llvm::SmallVector<llvm::StringRef, 6> words;
  llvm::StringRef(statement.opcode).split(words, '.');
  const auto& operands = statement.operands;
  if (words.size() < 3 || words[0] != "cvt" || operands.size() != 2) {
    return false;
  }
  const auto to = parse_ptx_type(words[words.size() - 2]);
  const auto from = parse_ptx_type(words.back());
  llvm::StringRef rounding;
  bool saturates = false;
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front().drop_back(2)) {
    if (word == "sat") {
      saturates = true;
    } else if (rounding.empty()) {
      rounding = word;
    } else {
      return false;
    }
  }
  const auto is_number = [](ptx_type type) { return llvm::StringRef("usf").contains(type.kind) && type.bits <= 64; };
  if (!to || !from || !is_number(*to) || !is_number(*from)) {
    return false;
  }
  llvm::Value* value = typed_source(operands[1], *from);
  llvm::Value* result = nullptr;
  if (!value || (saturates && to->is_float())) {
    return false;
  }
  if (to->is_float()) {
    result = from->is_float() ? between_floats(builder_, rounding, value, type_of(*to))
                              : to_float(builder_, rounding, value, *from, type_of(*to));
  } else if (from->is_float()) {
    result = to_integer(builder_, rounding, value, *to);
  } else if (rounding.empty()) {
    result = saturates ? clamp(builder_, value, from->is_signed(), *to) : cast(value, type_of(*to), from->is_signed());
  }
  return write(operands[0], result, to->is_signed());
}

}  // namespace cohort
