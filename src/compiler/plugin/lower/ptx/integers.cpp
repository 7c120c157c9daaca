// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic of 16, 32 and 64 bits: add sub mul.{lo,hi,wide} mad.{lo,hi,wide} mul24 mad24 div rem sad min max
// and or xor not cnot neg abs shl shr popc clz brev bfind, the forms with .sat and .relu; add min max on pairs of 16
// bits; and cvta, which copies, since a CPU has one address space.
#include "lower/ptx/ptx_lowering.hpp"

#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

llvm::Value* extend(builder& b, llvm::Value* value, unsigned bits, bool is_signed) {
  return is_signed ? b.CreateSExtOrTrunc(value, b.getIntNTy(bits)) : b.CreateZExtOrTrunc(value, b.getIntNTy(bits));
}

// PTX clamps the amount, which has 32 bits: shifting all bits out gives 0, or the sign.
llvm::Value* shift(builder& b, llvm::StringRef name, ptx_type type, llvm::Value* value, llvm::Value* amount) {
  auto* last = b.getInt32(type.bits - 1);
  auto* clamped = extend(b, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, last), type.bits, false);
  if (name == "shr" && type.is_signed()) {
    return b.CreateAShr(value, clamped);
  }
  auto* shifted = name == "shl" ? b.CreateShl(value, clamped) : b.CreateLShr(value, clamped);
  return b.CreateSelect(b.CreateICmpULE(amount, last), shifted, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* high_half(builder& b, ptx_type type, llvm::Value* x, llvm::Value* y) {
  const unsigned wide = 2 * type.bits;
  auto* product = b.CreateMul(extend(b, x, wide, type.is_signed()), extend(b, y, wide, type.is_signed()));
  return b.CreateTrunc(b.CreateLShr(product, type.bits), x->getType());
}

// mul.wide: the product has twice the bits of the factors.
llvm::Value* wide_product(builder& b, ptx_type type, llvm::Value* x, llvm::Value* y) {
  const unsigned wide = 2 * type.bits;
  return b.CreateMul(extend(b, x, wide, type.is_signed()), extend(b, y, wide, type.is_signed()));
}

// mul24: the product of the lowest 24 bits of each factor has 48 bits, of which .lo takes the lowest 32 and .hi the
// highest.
llvm::Value* product_of_24_bits(builder& b, ptx_type type, llvm::Value* x, llvm::Value* y, bool is_high) {
  auto low_bits = [&](llvm::Value* value) {
    return extend(b, b.CreateTrunc(value, b.getIntNTy(24)), 64, type.is_signed());
  };
  auto* product = b.CreateMul(low_bits(x), low_bits(y));
  return b.CreateTrunc(is_high ? b.CreateLShr(product, 16) : product, x->getType());
}

// In 32 bits at least, so that the step for device arithmetic finds it and gives it the GPU's rules.
llvm::Value* divide(builder& b, llvm::StringRef name, ptx_type type, llvm::Value* x, llvm::Value* y) {
  const bool is_signed = type.is_signed();
  const unsigned bits = type.bits < 32 ? 32 : type.bits;
  auto* dividend = extend(b, x, bits, is_signed);
  auto* divisor = extend(b, y, bits, is_signed);
  auto* result = name == "div" ? (is_signed ? b.CreateSDiv(dividend, divisor) : b.CreateUDiv(dividend, divisor))
                               : (is_signed ? b.CreateSRem(dividend, divisor) : b.CreateURem(dividend, divisor));
  return b.CreateTrunc(result, x->getType());
}

// Position of the highest bit that differs from the sign, or with .shiftamt the shift that makes it the top bit; all
// ones if there is none.
llvm::Value* find_highest(builder& b, ptx_type type, llvm::Value* value, bool as_shift = false) {
  if (type.is_signed()) {
    value = b.CreateXor(value, b.CreateAShr(value, type.bits - 1));
  }
  auto* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, b.getFalse());
  auto* position = as_shift ? zeros : b.CreateSub(llvm::ConstantInt::get(value->getType(), type.bits - 1), zeros);
  auto* none = b.CreateICmpEQ(value, llvm::Constant::getNullValue(value->getType()));
  return b.CreateSelect(none, b.getInt32(~0u), b.CreateZExtOrTrunc(position, b.getInt32Ty()));
}

llvm::Value* absolute_difference(builder& b, ptx_type type, llvm::Value* x, llvm::Value* y) {
  auto* is_less = type.is_signed() ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
  return b.CreateSelect(is_less, b.CreateSub(y, x), b.CreateSub(x, y));
}

// An instruction of one operand; null if `name` is not one.
llvm::Value* of_one(builder& b, llvm::StringRef name, ptx_type type, llvm::Value* x) {
  if (name == "not") return b.CreateNot(x);
  if (name == "cnot") {
    return b.CreateZExt(b.CreateICmpEQ(x, llvm::Constant::getNullValue(x->getType())), x->getType());
  }
  if (name == "neg") return b.CreateNeg(x);
  if (name == "abs") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
  if (name == "popc") return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x);
  if (name == "clz") return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
  if (name == "brev") return b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x);
  if (name == "bfind") return find_highest(b, type, x);
  if (name == "bfind.shiftamt") return find_highest(b, type, x, true);
  return name.starts_with("cvta") ? x : nullptr;
}

llvm::Value* of_two(builder& b, llvm::StringRef name, ptx_type type, llvm::Value* x, llvm::Value* y) {
  using llvm::Intrinsic::ID;
  const bool is_signed = type.is_signed();
  auto binary = [&](ID of_signed, ID of_unsigned) {
    return b.CreateBinaryIntrinsic(is_signed ? of_signed : of_unsigned, x, y);
  };
  if (name == "add") return b.CreateAdd(x, y);
  if (name == "sub") return b.CreateSub(x, y);
  if (name == "add.sat") return binary(llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat);
  if (name == "sub.sat") return binary(llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat);
  if (name == "mul.lo") return b.CreateMul(x, y);
  if (name == "mul.hi") return high_half(b, type, x, y);
  if (name == "mul.wide") return type.bits < 64 ? wide_product(b, type, x, y) : nullptr;
  if (name == "min") return binary(llvm::Intrinsic::smin, llvm::Intrinsic::umin);
  if (name == "max") return binary(llvm::Intrinsic::smax, llvm::Intrinsic::umax);
  if (name == "min.relu" || name == "max.relu") {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, of_two(b, name.take_front(3), type, x, y),
                                   llvm::Constant::getNullValue(x->getType()));
  }
  if (name == "mul24.lo" || name == "mul24.hi") return product_of_24_bits(b, type, x, y, name.ends_with("hi"));
  if (name == "div" || name == "rem") return divide(b, name, type, x, y);
  if (name == "and") return b.CreateAnd(x, y);
  if (name == "or") return b.CreateOr(x, y);
  if (name == "xor") return b.CreateXor(x, y);
  return name == "shl" || name == "shr" ? shift(b, name, type, x, y) : nullptr;
}

llvm::Value* of_three(builder& b, llvm::StringRef name, ptx_type type, llvm::ArrayRef<llvm::Value*> in) {
  if (name == "mad.lo") return b.CreateAdd(b.CreateMul(in[0], in[1]), in[2]);
  if (name == "mad.hi") return b.CreateAdd(high_half(b, type, in[0], in[1]), in[2]);
  if (name == "mad.hi.sat") {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, high_half(b, type, in[0], in[1]), in[2]);
  }
  if (name == "mad24.lo" || name == "mad24.hi") {
    return b.CreateAdd(product_of_24_bits(b, type, in[0], in[1], name.ends_with("hi")), in[2]);
  }
  if (name == "mad24.hi.sat") {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product_of_24_bits(b, type, in[0], in[1], true), in[2]);
  }
  if (name == "mad.wide") return b.CreateAdd(wide_product(b, type, in[0], in[1]), in[2]);
  return name == "sad" ? b.CreateAdd(absolute_difference(b, type, in[0], in[1]), in[2]) : nullptr;
}

// add.u16x2, min.relu.s16x2 ...: "add.u16" and its companions on both halves of a word; nothing for other opcodes.
std::optional<std::pair<llvm::StringRef, ptx_type>> parse_pairs(llvm::StringRef opcode) {
  const auto [name, type_name] = opcode.rsplit('.');
  const auto type = type_name.ends_with("16x2") ? parse_ptx_type(type_name.drop_back(2)) : std::nullopt;
  const bool is_positive = name == "min.relu" || name == "max.relu";
  const bool is_known = name == "add" || name == "min" || name == "max" || (is_positive && type && type->is_signed());
  return is_known && type && (type->kind == 'u' || type->is_signed()) ? std::optional(std::pair(name, *type))
                                                                      : std::nullopt;
}

// Forms that exist for some types only.
bool has_form(llvm::StringRef name, ptx_type type) {
  if (name.starts_with("mul24.") || name.starts_with("mad24.")) {
    return type.bits == 32 && type.kind != 'b' && (!name.ends_with(".sat") || type.is_signed());
  }
  if (name.ends_with(".relu") || name == "mad.hi.sat") {
    return type.bits == 32 && type.is_signed();
  }
  return !(name == "div" || name == "rem") || type.kind != 'b';
}

}  // namespace

bool ptx_lowering::lower_pairs(const ptx_statement& statement) {
  const auto parsed = parse_pairs(statement.opcode);
  const auto& operands = statement.operands;
  if (!parsed || operands.size() != 3) {
    return false;
  }
  llvm::Value* const x = source(operands[1], 32, false);
  llvm::Value* const y = x ? source(operands[2], 32, false) : nullptr;
  if (!y) {
    return false;
  }
  const auto& [name, type] = *parsed;
  auto* const pair = llvm::FixedVectorType::get(builder_.getInt16Ty(), 2);
  llvm::Value* const result =
      of_two(builder_, name, type, builder_.CreateBitCast(x, pair), builder_.CreateBitCast(y, pair));
  return write(operands[0], builder_.CreateBitCast(result, builder_.getInt32Ty()), false);
}

bool ptx_lowering::lower_integers(const ptx_statement& statement) {
  const auto [name, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_ptx_type(type_name);
  const auto& operands = statement.operands;
  if (!type || type->is_float() || type->bits < 16 || type->bits > 64 || operands.size() < 2 ||
      !has_form(name, *type)) {
    return false;
  }
  std::vector<llvm::Value*> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    const bool is_amount = i == 2 && (name == "shl" || name == "shr");
    const bool is_wide = i == 3 && name == "mad.wide" && type->bits < 64;
    const unsigned bits = is_amount ? 32 : is_wide ? 2 * type->bits : type->bits;
    in.push_back(source(operands[i], bits, type->is_signed() && !is_amount));
    if (!in.back()) {
      return false;
    }
  }
  llvm::Value* result = nullptr;
  if (in.size() == 1) {
    result = of_one(builder_, name, *type, in[0]);
  } else if (in.size() == 2) {
    result = of_two(builder_, name, *type, in[0], in[1]);
  } else if (in.size() == 3 && (name != "mad.wide" || type->bits < 64)) {
    result = of_three(builder_, name, *type, in);
  }
  return write(operands[0], result, type->is_signed());
}

}  // namespace cohort
