// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, with carries and on pairs of 16 bits; logic and shifts.
#include "lower/ptx/emit/emission.hpp"

#include "llvm/IR/Intrinsics.h"

namespace cohort::ptx {
namespace {

using llvm::Intrinsic::ID;

llvm::Value* extend(builder& b, llvm::Value* value, unsigned bits, bool is_signed) {
  return is_signed ? b.CreateSExtOrTrunc(value, b.getIntNTy(bits)) : b.CreateZExtOrTrunc(value, b.getIntNTy(bits));
}

llvm::Constant* zero(const llvm::Value* like) { return llvm::Constant::getNullValue(like->getType()); }

// The product in twice the bits.
llvm::Value* wide_product(emission& e) {
  const unsigned wide = 2 * e.of().bits;
  return e.b.CreateMul(extend(e.b, e.in[0], wide, e.is_signed()), extend(e.b, e.in[1], wide, e.is_signed()));
}

llvm::Value* high_product(emission& e) {
  return e.b.CreateTrunc(e.b.CreateLShr(wide_product(e), e.of().bits), e.in[0]->getType());
}

// The product of the lowest 24 bits of each factor has 48 bits, of which .lo takes the lowest 32 and .hi the highest.
llvm::Value* product_of_24_bits(emission& e) {
  auto low_bits = [&](llvm::Value* value) {
    return extend(e.b, e.b.CreateTrunc(value, e.b.getIntNTy(24)), 64, e.is_signed());
  };
  auto* product = e.b.CreateMul(low_bits(e.in[0]), low_bits(e.in[1]));
  return e.b.CreateTrunc(e.op.has("hi") ? e.b.CreateLShr(product, 16) : product, e.in[0]->getType());
}

// The quotient in at least 32 bits, in which the step for device arithmetic (arithmetic/device_arithmetic.cpp) applies
// the GPU's rules.
llvm::Value* quotient(emission& e, llvm::Instruction::BinaryOps of_signed, llvm::Instruction::BinaryOps of_unsigned) {
  const unsigned bits = std::max(e.of().bits, 32u);
  auto* result = e.b.CreateBinOp(e.is_signed() ? of_signed : of_unsigned, extend(e.b, e.in[0], bits, e.is_signed()),
                                 extend(e.b, e.in[1], bits, e.is_signed()));
  return e.b.CreateTrunc(result, e.in[0]->getType());
}

llvm::Value* extreme_integer(emission& e, ID of_signed, ID of_unsigned) {
  return e.b.CreateBinaryIntrinsic(e.is_signed() ? of_signed : of_unsigned, e.in[0], e.in[1]);
}

llvm::Value* at_least_zero(builder& b, llvm::Value* value) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, zero(value));
}

// The operation `compute` on both halves of words, with .relu.
template <class Compute>
llvm::Value* on_pairs(emission& e, Compute compute) {
  auto* const pair = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
  llvm::Value* result = compute(e.b.CreateBitCast(e.in[0], pair), e.b.CreateBitCast(e.in[1], pair));
  result = e.op.has("relu") ? at_least_zero(e.b, result) : result;
  return e.b.CreateBitCast(result, e.b.getInt32Ty());
}

// The sum `first + second + carry` or difference in twice the bits. The bit above the result is the carry, or the
// borrow.
llvm::Value* with_carry(emission& e, llvm::Value* first, llvm::Value* second, bool subtracts) {
  auto& b = e.b;
  const unsigned bits = e.of().bits;
  auto* wide = b.getIntNTy(2 * bits);
  const bool reads_carry = e.op.form->name.ends_with("c");
  llvm::Value* carry = reads_carry ? b.CreateZExt(b.CreateLoad(b.getInt1Ty(), e.carry), wide) : zero(first);
  llvm::Value* result =
      subtracts ? b.CreateSub(b.CreateSub(first, second), carry) : b.CreateAdd(b.CreateAdd(first, second), carry);
  if (e.op.has("cc")) {
    b.CreateStore(b.CreateTrunc(b.CreateLShr(result, bits), b.getInt1Ty()), e.carry);
  }
  return b.CreateTrunc(result, b.getIntNTy(bits));
}

llvm::Value* widened(emission& e, unsigned operand) {
  return e.b.CreateZExt(e.in[operand], e.b.getIntNTy(2 * e.of().bits));
}

}  // namespace

results add(emission& e) { return e.b.CreateAdd(e.in[0], e.in[1]); }
results subtract(emission& e) { return e.b.CreateSub(e.in[0], e.in[1]); }
results add_saturated(emission& e) { return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, e.in[0], e.in[1]); }
results subtract_saturated(emission& e) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, e.in[0], e.in[1]);
}

results multiply_low(emission& e) { return e.b.CreateMul(e.in[0], e.in[1]); }
results multiply_high(emission& e) { return high_product(e); }
results multiply_wide(emission& e) { return wide_product(e); }
results multiply_add_low(emission& e) { return e.b.CreateAdd(e.b.CreateMul(e.in[0], e.in[1]), e.in[2]); }
results multiply_add_high(emission& e) { return e.b.CreateAdd(high_product(e), e.in[2]); }
results multiply_add_high_saturated(emission& e) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, high_product(e), e.in[2]);
}
results multiply_add_wide(emission& e) { return e.b.CreateAdd(wide_product(e), e.in[2]); }
results multiply_24(emission& e) { return product_of_24_bits(e); }
results multiply_add_24(emission& e) { return e.b.CreateAdd(product_of_24_bits(e), e.in[2]); }
results multiply_add_24_saturated(emission& e) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product_of_24_bits(e), e.in[2]);
}

results divide(emission& e) { return quotient(e, llvm::Instruction::SDiv, llvm::Instruction::UDiv); }
results remainder(emission& e) { return quotient(e, llvm::Instruction::SRem, llvm::Instruction::URem); }

results add_difference(emission& e) {
  auto* is_less = e.is_signed() ? e.b.CreateICmpSLT(e.in[0], e.in[1]) : e.b.CreateICmpULT(e.in[0], e.in[1]);
  auto* difference = e.b.CreateSelect(is_less, e.b.CreateSub(e.in[1], e.in[0]), e.b.CreateSub(e.in[0], e.in[1]));
  return e.b.CreateAdd(difference, e.in[2]);
}

results minimum(emission& e) { return extreme_integer(e, llvm::Intrinsic::smin, llvm::Intrinsic::umin); }
results maximum(emission& e) { return extreme_integer(e, llvm::Intrinsic::smax, llvm::Intrinsic::umax); }
results minimum_positive(emission& e) { return at_least_zero(e.b, minimum(e)[0]); }
results maximum_positive(emission& e) { return at_least_zero(e.b, maximum(e)[0]); }

results add_pairs(emission& e) {
  return on_pairs(e, [&](llvm::Value* x, llvm::Value* y) { return e.b.CreateAdd(x, y); });
}
results minimum_pairs(emission& e) {
  const ID id = e.is_signed() ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
  return on_pairs(e, [&](llvm::Value* x, llvm::Value* y) { return e.b.CreateBinaryIntrinsic(id, x, y); });
}
results maximum_pairs(emission& e) {
  const ID id = e.is_signed() ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
  return on_pairs(e, [&](llvm::Value* x, llvm::Value* y) { return e.b.CreateBinaryIntrinsic(id, x, y); });
}

results negate(emission& e) { return e.b.CreateNeg(e.in[0]); }
results absolute(emission& e) { return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, e.in[0], e.b.getFalse()); }

results count_ones(emission& e) {
  return extend(e.b, e.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, e.in[0]), 32, false);
}
results count_leading_zeros(emission& e) {
  return extend(e.b, e.b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, e.in[0], e.b.getFalse()), 32, false);
}
results reverse_bits(emission& e) { return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, e.in[0]); }

// Position of the highest bit that differs from the sign, or with .shiftamt the shift that makes it the top bit; all
// ones if there is none.
results find_highest(emission& e) {
  auto& b = e.b;
  llvm::Value* value = e.in[0];
  if (e.is_signed()) {
    value = b.CreateXor(value, b.CreateAShr(value, e.of().bits - 1));
  }
  auto* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, b.getFalse());
  auto* last = llvm::ConstantInt::get(value->getType(), e.of().bits - 1);
  auto* position = e.op.has("shiftamt") ? zeros : b.CreateSub(last, zeros);
  return b.CreateSelect(b.CreateICmpEQ(value, zero(value)), b.getInt32(~0u),
                        b.CreateZExtOrTrunc(position, b.getInt32Ty()));
}

results logic_and(emission& e) { return e.b.CreateAnd(e.in[0], e.in[1]); }
results logic_or(emission& e) { return e.b.CreateOr(e.in[0], e.in[1]); }
results logic_xor(emission& e) { return e.b.CreateXor(e.in[0], e.in[1]); }
results logic_not(emission& e) { return e.b.CreateNot(e.in[0]); }
results is_zero(emission& e) { return e.b.CreateZExt(e.b.CreateICmpEQ(e.in[0], zero(e.in[0])), e.in[0]->getType()); }

// The result for each row of the truth table.
results any_logic(emission& e) {
  auto& b = e.b;
  const uint64_t table = llvm::cast<llvm::ConstantInt>(e.in[3])->getZExtValue();
  llvm::Value* result = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (table >> row & 1) {
      auto pick = [&](llvm::Value* v, unsigned bit) { return row & bit ? v : b.CreateNot(v); };
      result = b.CreateOr(result, b.CreateAnd(pick(e.in[0], 4), b.CreateAnd(pick(e.in[1], 2), pick(e.in[2], 1))));
    }
  }
  return result;
}

// PTX clamps the amount, which has 32 bits: shifting all bits out gives 0, or the sign.
results shift_left(emission& e) {
  auto* last = e.b.getInt32(e.of().bits - 1);
  auto* clamped = extend(e.b, e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, e.in[1], last), e.of().bits, false);
  return e.b.CreateSelect(e.b.CreateICmpULE(e.in[1], last), e.b.CreateShl(e.in[0], clamped), zero(e.in[0]));
}
results shift_right(emission& e) {
  auto* last = e.b.getInt32(e.of().bits - 1);
  auto* clamped = extend(e.b, e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, e.in[1], last), e.of().bits, false);
  if (e.is_signed()) {
    return e.b.CreateAShr(e.in[0], clamped);
  }
  return e.b.CreateSelect(e.b.CreateICmpULE(e.in[1], last), e.b.CreateLShr(e.in[0], clamped), zero(e.in[0]));
}

results add_carry(emission& e) { return with_carry(e, widened(e, 0), widened(e, 1), false); }
results subtract_borrow(emission& e) { return with_carry(e, widened(e, 0), widened(e, 1), true); }
results multiply_add_carry(emission& e) {
  const unsigned bits = e.of().bits;
  auto* product = wide_product(e);
  auto* low = llvm::ConstantInt::get(product->getType(), llvm::APInt::getLowBitsSet(2 * bits, bits));
  auto* half = e.op.has("hi") ? e.b.CreateLShr(product, bits) : e.b.CreateAnd(product, low);
  return with_carry(e, half, widened(e, 2), false);
}

}  // namespace cohort::ptx
