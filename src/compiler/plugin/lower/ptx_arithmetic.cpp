// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer PTX without side effects, for types u32 s32 b32 u64 s64 b64: add sub mul.lo mul.hi mul.wide mad.lo min max
// and or xor not neg abs shl shr popc clz brev bfind lop3 prmt; and cvta, which copies, since a CPU has one address
// space.
#include "lower/inline_ptx.hpp"

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

llvm::Value* shift_left(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* amount, unsigned bits) {
  auto* inside = b.CreateICmpULT(amount, llvm::ConstantInt::get(amount->getType(), bits));
  auto* shifted = b.CreateShl(value, b.CreateSelect(inside, amount, llvm::Constant::getNullValue(amount->getType())));
  return b.CreateSelect(inside, shifted, llvm::Constant::getNullValue(value->getType()));
}

// PTX clamps the amount: shifting all bits out gives 0, or the sign.
llvm::Value* shift_right(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* amount, unsigned bits, bool is_signed) {
  auto* last = llvm::ConstantInt::get(amount->getType(), bits - 1);
  if (is_signed) {
    return b.CreateAShr(value, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, last));
  }
  auto* inside = b.CreateICmpULE(amount, last);
  auto* shifted = b.CreateLShr(value, b.CreateSelect(inside, amount, llvm::Constant::getNullValue(amount->getType())));
  return b.CreateSelect(inside, shifted, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* high_half(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y, unsigned bits, bool is_signed) {
  auto* wide = b.getIntNTy(2 * bits);
  auto extend = [&](llvm::Value* v) { return is_signed ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(extend(x), extend(y)), bits), x->getType());
}

// mul.wide: the 64-bit product of two 32-bit factors.
llvm::Value* wide_product(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y, bool is_signed) {
  auto extend = [&](llvm::Value* v) {
    return is_signed ? b.CreateSExt(v, b.getInt64Ty()) : b.CreateZExt(v, b.getInt64Ty());
  };
  return b.CreateMul(extend(x), extend(y));
}

// Position of the highest bit that differs from the sign; all ones if there is none.
llvm::Value* find_highest(llvm::IRBuilder<>& b, llvm::Value* value, unsigned bits, bool is_signed) {
  if (is_signed) {
    value = b.CreateXor(value, b.CreateAShr(value, bits - 1));
  }
  auto* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, b.getFalse());
  auto* position = b.CreateSub(llvm::ConstantInt::get(value->getType(), bits - 1), zeros);
  auto* none = b.CreateICmpEQ(value, llvm::Constant::getNullValue(value->getType()));
  return b.CreateSelect(none, b.getInt32(~0u), b.CreateZExtOrTrunc(position, b.getInt32Ty()));
}

llvm::Value* any_logic(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y, llvm::Value* z, unsigned table) {
  llvm::Value* result = llvm::Constant::getNullValue(x->getType());
  for (unsigned row = 0; row < 8; ++row) {
    if (table >> row & 1) {
      auto pick = [&](llvm::Value* v, unsigned bit) { return row & bit ? v : b.CreateNot(v); };
      result = b.CreateOr(result, b.CreateAnd(pick(x, 4), b.CreateAnd(pick(y, 2), pick(z, 1))));
    }
  }
  return result;
}

// Selects four bytes of eight. Bit 3 of a selector replicates the sign of its byte.
llvm::Value* permute(llvm::IRBuilder<>& b, llvm::Value* low, llvm::Value* high, llvm::Value* selector) {
  auto* wide = b.getInt64Ty();
  auto* bytes = b.CreateOr(b.CreateZExt(low, wide), b.CreateShl(b.CreateZExt(high, wide), 32));
  llvm::Value* result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    auto* choice = b.CreateAnd(b.CreateLShr(selector, 4 * i), 15);
    auto* amount = b.CreateZExt(b.CreateShl(b.CreateAnd(choice, 7), 3), wide);
    auto* byte = b.CreateTrunc(b.CreateLShr(bytes, amount), b.getInt8Ty());
    auto* sign = b.CreateAShr(byte, 7);
    auto* spread = b.CreateICmpNE(b.CreateAnd(choice, 8), b.getInt32(0));
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(b.CreateSelect(spread, sign, byte), b.getInt32Ty()), 8 * i));
  }
  return result;
}

// The type of an instruction: ".s32" is signed, with 32 bits.
struct integer_type {
  unsigned bits;
  bool is_signed;
};

std::optional<integer_type> parse_type(llvm::StringRef type) {
  if (type.size() != 3 || !llvm::StringRef("usb").contains(type[0])) {
    return std::nullopt;
  }
  const unsigned bits = llvm::StringSwitch<unsigned>(type.drop_front()).Case("32", 32).Case("64", 64).Default(0);
  return bits ? std::optional<integer_type>({bits, type[0] == 's'}) : std::nullopt;
}

// An instruction of one operand; null if `name` is not one.
llvm::Value* of_one(llvm::IRBuilder<>& b, llvm::StringRef name, integer_type type, llvm::Value* x) {
  if (name == "not") return b.CreateNot(x);
  if (name == "neg") return b.CreateNeg(x);
  if (name == "abs") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
  if (name == "popc") return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x);
  if (name == "clz") return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
  if (name == "brev") return b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x);
  if (name == "bfind") return find_highest(b, x, type.bits, type.is_signed);
  return name.starts_with("cvta") ? x : nullptr;
}

llvm::Value* of_two(llvm::IRBuilder<>& b, llvm::StringRef name, integer_type type, llvm::Value* x, llvm::Value* y) {
  const auto [bits, is_signed] = type;
  if (name == "add") return b.CreateAdd(x, y);
  if (name == "sub") return b.CreateSub(x, y);
  if (name == "mul.lo") return b.CreateMul(x, y);
  if (name == "mul.hi") return high_half(b, x, y, bits, is_signed);
  if (name == "mul.wide" && bits == 32) return wide_product(b, x, y, is_signed);
  if (name == "min") return b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
  if (name == "max") return b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
  if (name == "and") return b.CreateAnd(x, y);
  if (name == "or") return b.CreateOr(x, y);
  if (name == "xor") return b.CreateXor(x, y);
  if (name == "shl") return shift_left(b, x, y, bits);
  return name == "shr" ? shift_right(b, x, y, bits, is_signed) : nullptr;
}

llvm::Value* of_three(llvm::IRBuilder<>& b, llvm::StringRef name, integer_type type, llvm::ArrayRef<llvm::Value*> in) {
  if (name == "mad.lo") return b.CreateAdd(b.CreateMul(in[0], in[1]), in[2]);
  return name == "prmt" && type.bits == 32 ? permute(b, in[0], in[1], in[2]) : nullptr;
}

llvm::Value* of_four(llvm::IRBuilder<>& b, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> in) {
  auto* table = llvm::dyn_cast<llvm::ConstantInt>(in[3]);
  return name == "lop3" && table ? any_logic(b, in[0], in[1], in[2], table->getZExtValue() & 255) : nullptr;
}

}  // namespace

bool ptx_lowering::lower_arithmetic(const ptx_statement& statement) {
  const auto [name, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_type(type_name);
  const auto& operands = statement.operands;
  if (!type || operands.empty()) {
    return false;
  }
  const bool shifts = name == "shl" || name == "shr";  // the amount has 32 bits with every type
  std::vector<llvm::Value*> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    llvm::Value* value = source(operands[i], shifts && i == 2 ? 32 : type->bits, type->is_signed);
    if (!value) {
      return false;
    }
    in.push_back(shifts && i == 2 ? builder_.CreateZExt(value, builder_.getIntNTy(type->bits)) : value);
  }
  llvm::Value* result = nullptr;
  switch (in.size()) {
    case 1:
      result = of_one(builder_, name, *type, in[0]);
      break;
    case 2:
      result = of_two(builder_, name, *type, in[0], in[1]);
      break;
    case 3:
      result = of_three(builder_, name, *type, in);
      break;
    case 4:
      result = of_four(builder_, name, in);
      break;
    default:
      break;
  }
  return write(operands[0], result, type->is_signed);
}

}  // namespace cohort
