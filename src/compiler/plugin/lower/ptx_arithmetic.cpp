// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer PTX without side effects, for types u32 s32 b32 u64 s64 b64: add sub mul.lo mul.hi mul.wide mad.lo min max
// and or xor not neg abs shl shr popc clz brev bfind lop3 prmt; and cvta, since all address spaces are one here.
#include "lower/inline_ptx.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

llvm::Value* shift_left(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* amount, unsigned bits) {
  auto* inside = b.CreateICmpULT(amount, llvm::ConstantInt::get(amount->getType(), bits));
  auto* shifted = b.CreateShl(value, b.CreateSelect(inside, amount, llvm::Constant::getNullValue(amount->getType())));
  return b.CreateSelect(inside, shifted, llvm::Constant::getNullValue(value->getType()));
}

// PTX clamps the amount: shifting everything out gives 0, or the sign.
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

// Position of the highest bit that differs from the sign; all ones when there is none.
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

// Four bytes chosen from eight; bit 3 of a selector spreads the sign of its byte.
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

}  // namespace

bool ptx_lowering::lower_arithmetic(const ptx_statement& statement) {
  const auto [name, type] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto& operands = statement.operands;
  if (type.size() != 3 || operands.empty()) {
    return false;
  }
  const bool is_signed = type[0] == 's';
  const unsigned bits = llvm::StringSwitch<unsigned>(type.drop_front()).Case("32", 32).Case("64", 64).Default(0);
  if (bits == 0 || !llvm::StringRef("usb").contains(type[0])) {
    return false;
  }
  const bool shifts = name == "shl" || name == "shr";
  std::vector<llvm::Value*> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    llvm::Value* value = source(operands[i], shifts && i == 2 ? 32 : bits, is_signed);
    if (!value) {
      return false;
    }
    in.push_back(shifts && i == 2 ? builder_.CreateZExt(value, builder_.getIntNTy(bits)) : value);
  }
  auto& b = builder_;
  using intrinsic = llvm::Intrinsic::IndependentIntrinsics;
  auto binary = [&](intrinsic which) { return b.CreateBinaryIntrinsic(which, in[0], in[1]); };
  llvm::Value* result = nullptr;
  if (in.size() == 1) {
    if (name == "not") result = b.CreateNot(in[0]);
    if (name == "neg") result = b.CreateNeg(in[0]);
    if (name == "abs") result = b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, in[0], b.getFalse());
    if (name == "popc") result = b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, in[0]);
    if (name == "clz") result = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, in[0], b.getFalse());
    if (name == "brev") result = b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, in[0]);
    if (name == "bfind") result = find_highest(b, in[0], bits, is_signed);
    if (name.starts_with("cvta")) result = in[0];
  } else if (in.size() == 2) {
    if (name == "add") result = b.CreateAdd(in[0], in[1]);
    if (name == "sub") result = b.CreateSub(in[0], in[1]);
    if (name == "mul.lo") result = b.CreateMul(in[0], in[1]);
    if (name == "mul.hi") result = high_half(b, in[0], in[1], bits, is_signed);
    if (name == "mul.wide" && bits == 32) {
      auto extend = [&](llvm::Value* v) {
        return is_signed ? b.CreateSExt(v, b.getInt64Ty()) : b.CreateZExt(v, b.getInt64Ty());
      };
      result = b.CreateMul(extend(in[0]), extend(in[1]));
    }
    if (name == "min") result = binary(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
    if (name == "max") result = binary(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax);
    if (name == "and") result = b.CreateAnd(in[0], in[1]);
    if (name == "or") result = b.CreateOr(in[0], in[1]);
    if (name == "xor") result = b.CreateXor(in[0], in[1]);
    if (name == "shl") result = shift_left(b, in[0], in[1], bits);
    if (name == "shr") result = shift_right(b, in[0], in[1], bits, is_signed);
  } else if (in.size() == 3) {
    if (name == "mad.lo") result = b.CreateAdd(b.CreateMul(in[0], in[1]), in[2]);
    if (name == "prmt" && bits == 32) result = permute(b, in[0], in[1], in[2]);
  } else if (in.size() == 4 && name == "lop3") {
    if (auto* table = llvm::dyn_cast<llvm::ConstantInt>(in[3])) {
      result = any_logic(b, in[0], in[1], in[2], table->getZExtValue() & 255);
    }
  }
  return write(operands[0], result, is_signed);
}

}  // namespace cohort
