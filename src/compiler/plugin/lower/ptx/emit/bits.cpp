// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, bit fields, permutations of bytes, and sums of products of bytes.
#include "lower/ptx/emit/emission.hpp"

#include "llvm/IR/Intrinsics.h"

namespace cohort::ptx {
namespace {

llvm::Value* at_most(builder& b, llvm::Value* x, uint64_t bound) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, llvm::ConstantInt::get(x->getType(), bound));
}

// Shifts by any 32-bit amount; an amount of the width or more gives 0.
llvm::Value* shifted_left(builder& b, llvm::Value* value, llvm::Value* amount) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  auto* shifted = b.CreateShl(value, b.CreateZExt(at_most(b, amount, bits - 1), value->getType()));
  auto* is_inside = b.CreateICmpULT(amount, b.getInt32(bits));
  return b.CreateSelect(is_inside, shifted, llvm::Constant::getNullValue(value->getType()));
}

// The lowest `length` bits.
llvm::Value* low_bits(builder& b, llvm::Type* type, llvm::Value* length) {
  return b.CreateNot(shifted_left(b, llvm::Constant::getAllOnesValue(type), length));
}

// `length` bits of `value` from `from` on. Bits after the last are zeros, or the field's sign: its highest bit, or the
// value's where the field reaches beyond it.
llvm::Value* field_of(builder& b, llvm::Value* value, llvm::Value* from, llvm::Value* length, bool is_signed) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getIntegerBitWidth();
  from = b.CreateAnd(from, 255);
  length = b.CreateAnd(length, 255);
  auto* mask = low_bits(b, type, length);
  auto* clamped = b.CreateZExt(at_most(b, from, bits - 1), type);
  if (!is_signed) {
    auto* is_inside = b.CreateICmpULT(from, b.getInt32(bits));
    auto* shifted = b.CreateSelect(is_inside, b.CreateLShr(value, clamped), llvm::Constant::getNullValue(type));
    return b.CreateAnd(shifted, mask);
  }
  auto* shifted = b.CreateAShr(value, clamped);
  auto* above = b.CreateZExt(b.CreateSub(b.getInt32(bits), at_most(b, length, bits)), type);
  auto* amount = at_most(b, above, bits - 1);
  auto* extended = b.CreateAShr(b.CreateShl(shifted, amount), amount);
  return b.CreateSelect(b.CreateICmpEQ(length, b.getInt32(0)), llvm::Constant::getNullValue(type), extended);
}

// The byte that result byte `i` takes, for the modes of prmt that derive it from the selector's lowest two bits.
llvm::Value* byte_choice(builder& b, std::string_view mode, llvm::Value* n, unsigned i) {
  auto* place = b.getInt32(i);
  if (mode == "f4e") return b.CreateAdd(n, place);
  if (mode == "b4e") return b.CreateAnd(b.CreateSub(n, place), 7);
  if (mode == "rc8") return n;
  if (mode == "ecl") return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, n, place);
  if (mode == "ecr") return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, place);
  return b.CreateOr(b.CreateShl(b.CreateAnd(n, 1), 1), i & 1);  // mode rc16
}

// The two words as one number, the first in the low bits.
llvm::Value* joined_words(builder& b, llvm::Value* low, llvm::Value* high) {
  auto* wide = b.getInt64Ty();
  return b.CreateOr(b.CreateZExt(low, wide), b.CreateShl(b.CreateZExt(high, wide), 32));
}

// `bits` bits of `word` from bit `from` on, as a word.
llvm::Value* part_of(builder& b, llvm::Value* word, unsigned from, unsigned bits, bool is_signed) {
  auto* part = b.CreateTrunc(b.CreateLShr(word, from), b.getIntNTy(bits));
  return is_signed ? b.CreateSExt(part, b.getInt32Ty()) : b.CreateZExt(part, b.getInt32Ty());
}

}  // namespace

results copy(emission& e) { return e.in[0]; }

results join_parts(emission& e) {
  auto& b = e.b;
  llvm::Type* type = b.getIntNTy(e.of().bits);
  llvm::Value* result = llvm::Constant::getNullValue(type);
  for (size_t i = 0; i < e.in.size(); ++i) {
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(e.in[i], type), i * e.of().bits / e.in.size()));
  }
  return result;
}

results divide_parts(emission& e) {
  results parts;
  const size_t count = e.op.operands[0].elements.size();
  const size_t bits = e.of().bits / count;
  for (size_t i = 0; i < count; ++i) {
    parts.push_back(e.b.CreateTrunc(e.b.CreateLShr(e.in[0], i * bits), e.b.getIntNTy(bits)));
  }
  return parts;
}

results extract_field(emission& e) { return field_of(e.b, e.in[0], e.in[1], e.in[2], e.is_signed()); }

// The second operand, in which the lowest `length` bits of the first replace those from bit `at` on. Bits beyond the
// width are dropped.
results insert_field(emission& e) {
  auto& b = e.b;
  auto* at = b.CreateAnd(e.in[2], 255);
  auto* mask = shifted_left(b, low_bits(b, e.in[1]->getType(), b.CreateAnd(e.in[3], 255)), at);
  return b.CreateOr(b.CreateAnd(e.in[1], b.CreateNot(mask)), b.CreateAnd(shifted_left(b, e.in[0], at), mask));
}

// `length` ones from bit `from` on. The clamp mode drops bits beyond the width. The wrap mode takes both numbers
// modulo 32.
results bit_mask(emission& e) {
  auto& b = e.b;
  const bool wraps = e.op.has("wrap");
  auto* from = wraps ? b.CreateAnd(e.in[0], 31) : e.in[0];
  auto* length = wraps ? b.CreateAnd(e.in[1], 31) : e.in[1];
  return shifted_left(b, low_bits(b, b.getInt32Ty(), length), from);
}

// The lowest `length` bits, extended. The wrap mode takes the length modulo 32.
results extend_field(emission& e) {
  auto* length = e.op.has("wrap") ? e.b.CreateAnd(e.in[1], 31) : at_most(e.b, e.in[1], 32);
  return field_of(e.b, e.in[0], e.b.getInt32(0), length, e.is_signed());
}

// The high word of high:low shifted left, or the low word of it shifted right.
results funnel_shift(emission& e) {
  auto& b = e.b;
  auto* both = joined_words(b, e.in[0], e.in[1]);
  auto* amount = b.CreateZExt(e.op.has("wrap") ? b.CreateAnd(e.in[2], 31) : at_most(b, e.in[2], 32), b.getInt64Ty());
  auto* shifted = e.op.has("l") ? b.CreateLShr(b.CreateShl(both, amount), 32) : b.CreateLShr(both, amount);
  return b.CreateTrunc(shifted, b.getInt32Ty());
}

// Selects four bytes of eight. Without a mode, bit 3 of a selector replicates the sign of its byte.
results permute(emission& e) {
  auto& b = e.b;
  const std::string_view mode = e.op.one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  auto* bytes = joined_words(b, e.in[0], e.in[1]);
  llvm::Value* result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    auto* choice =
        mode.empty() ? b.CreateAnd(b.CreateLShr(e.in[2], 4 * i), 15) : byte_choice(b, mode, b.CreateAnd(e.in[2], 3), i);
    auto* amount = b.CreateZExt(b.CreateShl(b.CreateAnd(choice, 7), 3), b.getInt64Ty());
    auto* byte = b.CreateTrunc(b.CreateLShr(bytes, amount), b.getInt8Ty());
    auto* sign = b.CreateAShr(byte, 7);
    auto* replicates = mode.empty() ? b.CreateICmpNE(b.CreateAnd(choice, 8), b.getInt32(0)) : b.getFalse();
    auto* taken = b.CreateZExt(b.CreateSelect(replicates, sign, byte), b.getInt32Ty());
    result = b.CreateOr(result, b.CreateShl(taken, 8 * i));
  }
  return result;
}

results find_nth_set(emission& e) { return call(e.b, ptx_call::cohort_ptx_find_nth_set, e.in); }

// The sum of the products of the bytes, added to the third operand.
results dot_product_of_bytes(emission& e) {
  auto& b = e.b;
  llvm::Value* sum = e.in[2];
  for (unsigned i = 0; i < 4; ++i) {
    sum = b.CreateAdd(sum, b.CreateMul(part_of(b, e.in[0], 8 * i, 8, e.of(0).is_signed()),
                                       part_of(b, e.in[1], 8 * i, 8, e.of(1).is_signed())));
  }
  return sum;
}

// The sum of the products of both halves of the first word with two bytes of the second, added to the third.
results dot_product_of_halves(emission& e) {
  auto& b = e.b;
  llvm::Value* sum = e.in[2];
  for (const unsigned i : {0, 1}) {
    auto* byte = part_of(b, e.in[1], 8 * (i + (e.op.has("hi") ? 2 : 0)), 8, e.of(1).is_signed());
    sum = b.CreateAdd(sum, b.CreateMul(part_of(b, e.in[0], 16 * i, 16, e.of(0).is_signed()), byte));
  }
  return sum;
}

}  // namespace cohort::ptx
