// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit fields and permutations: bfe bfi bmsk szext shf prmt lop3 fns dp4a dp2a.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

llvm::Value* any_logic(builder& b, llvm::ArrayRef<llvm::Value*> in, unsigned table) {
  llvm::Value* result = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (table >> row & 1) {
      auto pick = [&](llvm::Value* v, unsigned bit) { return row & bit ? v : b.CreateNot(v); };
      result = b.CreateOr(result, b.CreateAnd(pick(in[0], 4), b.CreateAnd(pick(in[1], 2), pick(in[2], 1))));
    }
  }
  return result;
}

llvm::Value* minimum(builder& b, llvm::Value* x, uint64_t bound) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, llvm::ConstantInt::get(x->getType(), bound));
}

// Shifts by any 32-bit amount; an amount of the width or more gives 0.
llvm::Value* shift_left(builder& b, llvm::Value* value, llvm::Value* amount) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  auto* shifted = b.CreateShl(value, b.CreateZExt(minimum(b, amount, bits - 1), value->getType()));
  auto* is_inside = b.CreateICmpULT(amount, b.getInt32(bits));
  return b.CreateSelect(is_inside, shifted, llvm::Constant::getNullValue(value->getType()));
}

// The lowest `length` bits.
llvm::Value* low_bits(builder& b, llvm::Type* type, llvm::Value* length) {
  return b.CreateNot(shift_left(b, llvm::Constant::getAllOnesValue(type), length));
}

// bfe: `length` bits of `value` from `from` on. Bits behind the last are zeros, or the field's sign: its highest bit,
// or the value's where the field reaches beyond it.
llvm::Value* extract_field(builder& b, llvm::Value* value, llvm::Value* from, llvm::Value* length, bool is_signed) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getIntegerBitWidth();
  from = b.CreateAnd(from, 255);
  length = b.CreateAnd(length, 255);
  auto* mask = low_bits(b, type, length);
  auto* clamped = b.CreateZExt(minimum(b, from, bits - 1), type);
  if (!is_signed) {
    auto* is_inside = b.CreateICmpULT(from, b.getInt32(bits));
    auto* shifted = b.CreateSelect(is_inside, b.CreateLShr(value, clamped), llvm::Constant::getNullValue(type));
    return b.CreateAnd(shifted, mask);
  }
  auto* shifted = b.CreateAShr(value, clamped);
  auto* above = b.CreateZExt(b.CreateSub(b.getInt32(bits), minimum(b, length, bits)), type);
  auto* amount = minimum(b, above, bits - 1);
  auto* extended = b.CreateAShr(b.CreateShl(shifted, amount), amount);
  return b.CreateSelect(b.CreateICmpEQ(length, b.getInt32(0)), llvm::Constant::getNullValue(type), extended);
}

// bfi: `into` with the lowest `length` bits of `value` at `at`. Bits beyond the width are dropped.
llvm::Value* insert_field(builder& b, llvm::Value* value, llvm::Value* into, llvm::Value* at, llvm::Value* length) {
  at = b.CreateAnd(at, 255);
  auto* mask = shift_left(b, low_bits(b, into->getType(), b.CreateAnd(length, 255)), at);
  return b.CreateOr(b.CreateAnd(into, b.CreateNot(mask)), b.CreateAnd(shift_left(b, value, at), mask));
}

// bmsk: `length` ones from bit `from` on. The clamp mode drops bits beyond the width. The wrap mode takes both numbers
// modulo 32.
llvm::Value* bit_mask(builder& b, llvm::Value* from, llvm::Value* length, bool wraps) {
  if (wraps) {
    from = b.CreateAnd(from, 31);
    length = b.CreateAnd(length, 31);
  }
  return shift_left(b, low_bits(b, b.getInt32Ty(), length), from);
}

// szext: the lowest `length` bits, extended. The wrap mode takes the length modulo 32.
llvm::Value* extend_field(builder& b, llvm::Value* value, llvm::Value* length, bool wraps, bool is_signed) {
  length = wraps ? b.CreateAnd(length, 31) : minimum(b, length, 32);
  return extract_field(b, value, b.getInt32(0), length, is_signed);
}

// shf: the high word of high:low shifted left, or the low word of it shifted right.
llvm::Value* funnel_shift(builder& b, llvm::ArrayRef<llvm::Value*> in, bool is_left, bool wraps) {
  auto* wide = b.getInt64Ty();
  auto* both = b.CreateOr(b.CreateZExt(in[0], wide), b.CreateShl(b.CreateZExt(in[1], wide), 32));
  auto* amount = b.CreateZExt(wraps ? b.CreateAnd(in[2], 31) : minimum(b, in[2], 32), wide);
  auto* shifted = is_left ? b.CreateLShr(b.CreateShl(both, amount), 32) : b.CreateLShr(both, amount);
  return b.CreateTrunc(shifted, b.getInt32Ty());
}

// The byte that result byte `i` takes, for the modes of prmt that derive it from the selector's lowest two bits.
llvm::Value* byte_choice(builder& b, llvm::StringRef mode, llvm::Value* n, unsigned i) {
  auto* place = b.getInt32(i);
  if (mode == "f4e") return b.CreateAdd(n, place);
  if (mode == "b4e") return b.CreateAnd(b.CreateSub(n, place), 7);
  if (mode == "rc8") return n;
  if (mode == "ecl") return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, n, place);
  if (mode == "ecr") return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, place);
  return mode == "rc16" ? b.CreateOr(b.CreateShl(b.CreateAnd(n, 1), 1), i & 1) : nullptr;
}

// prmt selects four bytes of eight. Without a mode, bit 3 of a selector replicates the sign of its byte.
llvm::Value* permute(builder& b, llvm::StringRef mode, llvm::ArrayRef<llvm::Value*> in) {
  auto* wide = b.getInt64Ty();
  auto* bytes = b.CreateOr(b.CreateZExt(in[0], wide), b.CreateShl(b.CreateZExt(in[1], wide), 32));
  llvm::Value* result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    auto* choice =
        mode.empty() ? b.CreateAnd(b.CreateLShr(in[2], 4 * i), 15) : byte_choice(b, mode, b.CreateAnd(in[2], 3), i);
    if (!choice) {
      return nullptr;
    }
    auto* amount = b.CreateZExt(b.CreateShl(b.CreateAnd(choice, 7), 3), wide);
    auto* byte = b.CreateTrunc(b.CreateLShr(bytes, amount), b.getInt8Ty());
    auto* sign = b.CreateAShr(byte, 7);
    auto* replicates = mode.empty() ? b.CreateICmpNE(b.CreateAnd(choice, 8), b.getInt32(0)) : b.getFalse();
    auto* taken = b.CreateZExt(b.CreateSelect(replicates, sign, byte), b.getInt32Ty());
    result = b.CreateOr(result, b.CreateShl(taken, 8 * i));
  }
  return result;
}

// `bits` bits of `word` from bit `from` on, as a word.
llvm::Value* part_of(builder& b, llvm::Value* word, unsigned from, unsigned bits, bool is_signed) {
  auto* part = b.CreateTrunc(b.CreateLShr(word, from), b.getIntNTy(bits));
  return is_signed ? b.CreateSExt(part, b.getInt32Ty()) : b.CreateZExt(part, b.getInt32Ty());
}

// dp4a: the sum of the products of the bytes, added to the third operand.
llvm::Value* dot_product(builder& b, llvm::ArrayRef<llvm::Value*> in, bool x_signed, bool y_signed) {
  llvm::Value* sum = in[2];
  for (unsigned i = 0; i < 4; ++i) {
    sum = b.CreateAdd(sum, b.CreateMul(part_of(b, in[0], 8 * i, 8, x_signed), part_of(b, in[1], 8 * i, 8, y_signed)));
  }
  return sum;
}

// dp2a: the sum of the products of both halves of the first word with two bytes of the second, added to the third.
llvm::Value* dot_product_of_halves(builder& b, llvm::ArrayRef<llvm::Value*> in, bool upper, bool x_signed,
                                   bool y_signed) {
  llvm::Value* sum = in[2];
  for (const unsigned i : {0, 1}) {
    auto* byte = part_of(b, in[1], 8 * (i + (upper ? 2 : 0)), 8, y_signed);
    sum = b.CreateAdd(sum, b.CreateMul(part_of(b, in[0], 16 * i, 16, x_signed), byte));
  }
  return sum;
}

// "szext.clamp" -> "szext", "clamp".
bool takes_mode(llvm::StringRef name, llvm::StringRef operation, llvm::StringRef& mode) {
  return name.consume_front(operation) && name.consume_front(".") && (mode = name, name == "clamp" || name == "wrap");
}

}  // namespace

bool ptx_lowering::lower_bits(const ptx_statement& statement) {
  const auto [name, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_ptx_type(type_name);
  const auto& operands = statement.operands;
  if (!type || (type->bits != 32 && type->bits != 64) || type->is_float() || operands.size() < 3) {
    // prmt's mode stands behind its type.
    llvm::StringRef mode = statement.opcode;
    llvm::SmallVector<llvm::Value*, 3> in;
    for (size_t i = 1; i < operands.size(); ++i) {
      in.push_back(source(operands[i], 32, false));
    }
    const bool is_permutation = mode.consume_front("prmt.b32.") && in.size() == 3 && !llvm::is_contained(in, nullptr);
    return is_permutation && write(operands[0], permute(builder_, mode, in), false);
  }
  // Fields of 64 bits have positions and lengths of 32 bits.
  const bool is_field = name == "bfe" || name == "bfi";
  if (!is_field && type->bits != 32) {
    return false;
  }
  llvm::SmallVector<llvm::Value*, 4> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    in.push_back(source(operands[i], i > (name == "bfi" ? 2u : 1u) ? 32 : type->bits, false));
    if (!in.back()) {
      return false;
    }
  }
  auto& b = builder_;
  llvm::StringRef mode;
  llvm::Value* result = nullptr;
  if (name == "bfe" && in.size() == 3) {
    result = extract_field(b, in[0], in[1], in[2], type->is_signed());
  } else if (name == "bfi" && in.size() == 4) {
    result = insert_field(b, in[0], in[1], in[2], in[3]);
  } else if (takes_mode(name, "bmsk", mode) && in.size() == 2) {
    result = bit_mask(b, in[0], in[1], mode == "wrap");
  } else if (takes_mode(name, "szext", mode) && in.size() == 2) {
    result = extend_field(b, in[0], in[1], mode == "wrap", type->is_signed());
  } else if ((takes_mode(name, "shf.l", mode) || takes_mode(name, "shf.r", mode)) && in.size() == 3) {
    result = funnel_shift(b, in, name.starts_with("shf.l"), mode == "wrap");
  } else if (name == "prmt" && in.size() == 3) {
    result = permute(b, "", in);
  } else if (name == "lop3" && in.size() == 4) {
    auto* table = llvm::dyn_cast<llvm::ConstantInt>(in[3]);
    result = table ? any_logic(b, in, table->getZExtValue() & 255) : nullptr;
  } else if (name == "fns" && in.size() == 3) {
    result = call("cohort_ptx_find_nth_set", b.getInt32Ty(), in);
  } else if ((name == "dp4a.u32" || name == "dp4a.s32") && in.size() == 3) {
    result = dot_product(b, in, name.ends_with("s32"), type->is_signed());
  } else if ((name.starts_with("dp2a.lo.") || name.starts_with("dp2a.hi.")) && in.size() == 3) {
    const auto of_first = parse_ptx_type(name.substr(8));
    if (of_first && of_first->bits == 32 && (of_first->kind == 'u' || of_first->kind == 's')) {
      result = dot_product_of_halves(b, in, name.starts_with("dp2a.hi"), of_first->is_signed(), type->is_signed());
    }
  }
  return result && write(operands[0], result, type->is_signed());
}

}  // namespace cohort
