// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions on the parts of a word, and their scalar forms, which select bytes and halves of their operands.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/modifiers.hpp"

#include "llvm/IR/Intrinsics.h"

namespace cohort::ptx {
namespace {

constexpr unsigned wide_bits = 64;  // the width of one part while it is computed: nothing overflows

// "add" of "vadd2".
std::string_view operation_of(const emission& e) {
  std::string_view name = e.op.form->name.substr(1);
  name.remove_suffix(name.ends_with('2') || name.ends_with('4') ? 1 : 0);
  return name;
}

// The results of comparisons are not signed, and T is their first operand's type.
bool is_result_signed(const emission& e) { return operation_of(e) != "set" && e.is_signed(); }
type operand_type(const emission& e, unsigned operand) {
  const std::string_view name = operation_of(e);
  const bool is_shift = name == "shl" || name == "shr";
  if (is_shift && operand == 1) {
    return {type_kind::unsigned_integer, 32};
  }
  return e.of(name == "set" ? operand : operand + 1);
}

llvm::Value* part_of(builder& b, llvm::Value* word, register_part where, bool is_signed) {
  auto* field = b.CreateTrunc(b.CreateLShr(word, where.from), b.getIntNTy(where.bits));
  return is_signed ? b.CreateSExt(field, b.getIntNTy(wide_bits)) : b.CreateZExt(field, b.getIntNTy(wide_bits));
}

llvm::Value* compare(emission& e, llvm::Value* x, llvm::Value* y) {
  auto& b = e.b;
  const std::string_view mode = e.op.one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  const auto predicate = mode == "eq"   ? llvm::CmpInst::ICMP_EQ
                         : mode == "ne" ? llvm::CmpInst::ICMP_NE
                         : mode == "lt" ? llvm::CmpInst::ICMP_SLT
                         : mode == "le" ? llvm::CmpInst::ICMP_SLE
                         : mode == "gt" ? llvm::CmpInst::ICMP_SGT
                                        : llvm::CmpInst::ICMP_SGE;
  return b.CreateZExt(b.CreateICmp(predicate, x, y), x->getType());
}

// The operation on one part of each operand, before it is saturated.
llvm::Value* compute(emission& e, llvm::Value* x, llvm::Value* y) {
  auto& b = e.b;
  const std::string_view name = operation_of(e);
  if (name == "add") return b.CreateAdd(x, y);
  if (name == "sub") return b.CreateSub(x, y);
  if (name == "absdiff") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
  if (name == "min") return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  if (name == "max") return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
  if (name == "set") return compare(e, x, y);
  if (name == "avrg") {  // rounds away from zero
    auto* sum = b.CreateAdd(x, y);
    auto* is_positive = b.CreateICmpSGE(sum, llvm::Constant::getNullValue(sum->getType()));
    return b.CreateAShr(b.CreateAdd(sum, b.CreateZExt(is_positive, sum->getType())), 1);
  }
  auto* amount =
      e.op.has("wrap") ? b.CreateAnd(y, 31) : b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, y, b.getInt64(32));
  return name == "shl" ? b.CreateShl(x, amount) : b.CreateAShr(x, amount);
}

llvm::Value* saturated(emission& e, llvm::Value* value, unsigned bits) {
  const bool is_signed = is_result_signed(e);
  auto* part = clamp(e.b, value, true, {is_signed ? type_kind::signed_integer : type_kind::unsigned_integer, bits});
  return is_signed ? e.b.CreateSExt(part, value->getType()) : e.b.CreateZExt(part, value->getType());
}

// The operation on parts `x` and `y` of the first two operands, as a word.
llvm::Value* on_parts(emission& e, register_part x, register_part y, unsigned result_bits) {
  llvm::Value* value = compute(e, part_of(e.b, e.in[0], x, operand_type(e, 0).is_signed()),
                               part_of(e.b, e.in[1], y, operand_type(e, 1).is_signed()));
  value = e.op.has("sat") ? saturated(e, value, result_bits) : value;
  return e.b.CreateTrunc(value, e.b.getInt32Ty());
}

}  // namespace

// Computes each part of a word, and joins the results, or with `.add` adds their sum to the third operand. Without
// `.add` the third operand has no effect, because it gives only the parts that a mask leaves out.
results video_simd(emission& e) {
  auto& b = e.b;
  const unsigned parts = e.op.form->name.ends_with('2') ? 2 : 4;
  const unsigned bits = 32 / parts;
  const bool adds = e.op.has("add");
  llvm::Value* result = adds ? e.in[2] : b.getInt32(0);
  for (unsigned i = 0; i < parts; ++i) {
    llvm::Value* value = on_parts(e, {i * bits, bits}, {i * bits, bits}, bits);
    const uint32_t mask = (uint32_t{1} << bits) - 1;
    result = adds ? b.CreateAdd(result, value) : b.CreateOr(result, b.CreateShl(b.CreateAnd(value, mask), i * bits));
  }
  return result;
}

results video(emission& e) {
  auto& b = e.b;
  const register_part target = e.op.operands[0].part;
  llvm::Value* value = on_parts(e, e.op.operands[1].part, e.op.operands[2].part, 32);
  const std::string_view second = e.op.one_of({"add", "min", "max"});
  if (second == "add") {
    return b.CreateAdd(value, e.in[2]);
  }
  if (!second.empty()) {
    const bool is_min = second == "min";
    return b.CreateBinaryIntrinsic(is_result_signed(e) ? (is_min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                                       : (is_min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax),
                                   value, e.in[2]);
  }
  if (target.bits == 32) {
    return value;
  }
  const uint32_t mask = ((uint32_t{1} << target.bits) - 1) << target.from;
  return b.CreateOr(b.CreateAnd(b.CreateShl(value, target.from), mask), b.CreateAnd(e.in[2], ~mask));
}

}  // namespace cohort::ptx
