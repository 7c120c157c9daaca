// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setp, set, selp, slct.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/modifiers.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

namespace cohort::ptx {
namespace {

using predicate_of = llvm::CmpInst::Predicate;

predicate_of integer_comparison(llvm::StringRef name, bool is_signed) {
  return llvm::StringSwitch<predicate_of>(name)
      .Case("eq", llvm::CmpInst::ICMP_EQ)
      .Case("ne", llvm::CmpInst::ICMP_NE)
      .Case("lt", is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT)
      .Case("le", is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
      .Case("gt", is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT)
      .Case("ge", is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE)
      .Case("lo", llvm::CmpInst::ICMP_ULT)
      .Case("ls", llvm::CmpInst::ICMP_ULE)
      .Case("hi", llvm::CmpInst::ICMP_UGT)
      .Default(llvm::CmpInst::ICMP_UGE);  // "hs"
}

predicate_of float_comparison(llvm::StringRef name) {
  return llvm::StringSwitch<predicate_of>(name)
      .Case("eq", llvm::CmpInst::FCMP_OEQ)
      .Case("ne", llvm::CmpInst::FCMP_ONE)
      .Case("lt", llvm::CmpInst::FCMP_OLT)
      .Case("le", llvm::CmpInst::FCMP_OLE)
      .Case("gt", llvm::CmpInst::FCMP_OGT)
      .Case("ge", llvm::CmpInst::FCMP_OGE)
      .Case("equ", llvm::CmpInst::FCMP_UEQ)
      .Case("neu", llvm::CmpInst::FCMP_UNE)
      .Case("ltu", llvm::CmpInst::FCMP_ULT)
      .Case("leu", llvm::CmpInst::FCMP_ULE)
      .Case("gtu", llvm::CmpInst::FCMP_UGT)
      .Case("geu", llvm::CmpInst::FCMP_UGE)
      .Case("num", llvm::CmpInst::FCMP_ORD)
      .Default(llvm::CmpInst::FCMP_UNO);  // "nan"
}

llvm::Value* combined(builder& b, std::string_view operation, llvm::Value* x, llvm::Value* y) {
  return operation == "and" ? b.CreateAnd(x, y) : operation == "or" ? b.CreateOr(x, y) : b.CreateXor(x, y);
}

// The comparison and its opposite; each combined with the third operand, a predicate.
results comparison(emission& e) {
  auto& b = e.b;
  const llvm::StringRef name = e.op.one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                                            "ltu", "leu", "gtu", "geu", "num", "nan"});
  const type compared = e.op.operands[1].value_type;
  const bool flushes = e.op.has("ftz");
  llvm::Value* x = flushes ? flush_subnormal(b, e.in[0]) : e.in[0];
  llvm::Value* y = flushes ? flush_subnormal(b, e.in[1]) : e.in[1];
  llvm::Value* holds =
      b.CreateCmp(compared.is_ieee() ? float_comparison(name) : integer_comparison(name, compared.is_signed()), x, y);
  llvm::Value* opposite = b.CreateNot(holds);
  const std::string_view operation = e.op.one_of({"and", "or", "xor"});
  if (operation.empty()) {
    return {holds, opposite};
  }
  return {combined(b, operation, holds, e.in[2]), combined(b, operation, opposite, e.in[2])};
}

}  // namespace

results set_predicate(emission& e) { return comparison(e); }

results set_register(emission& e) {  // sets all bits or 1.0 where the comparison holds, else 0
  llvm::Value* holds = comparison(e)[0];
  const type to = e.of();
  llvm::Type* result = to.is_ieee() ? (to.bits == 16 ? e.b.getHalfTy() : e.b.getFloatTy())
                                    : static_cast<llvm::Type*>(e.b.getIntNTy(to.bits));
  auto* truth = to.is_ieee() ? llvm::ConstantFP::get(result, 1.0) : llvm::Constant::getAllOnesValue(result);
  return e.b.CreateSelect(holds, truth, llvm::Constant::getNullValue(result));
}

results select(emission& e) { return e.b.CreateSelect(e.in[2], e.in[0], e.in[1]); }

results select_by_sign(emission& e) {
  llvm::Value* sign = e.op.has("ftz") ? flush_subnormal(e.b, e.in[2]) : e.in[2];
  auto* zero = llvm::Constant::getNullValue(sign->getType());
  auto* is_positive = e.of(1).is_ieee() ? e.b.CreateFCmpOGE(sign, zero) : e.b.CreateICmpSGE(sign, zero);
  return e.b.CreateSelect(is_positive, e.in[0], e.in[1]);
}

}  // namespace cohort::ptx
