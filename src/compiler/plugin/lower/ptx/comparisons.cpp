// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setp, set, selp, slct, and logic of predicates.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

namespace cohort {
namespace {

using predicate_of = llvm::CmpInst::Predicate;
constexpr predicate_of unknown = llvm::CmpInst::BAD_ICMP_PREDICATE;

predicate_of integer_comparison(llvm::StringRef name, ptx_type type) {
  const bool is_signed = type.is_signed();
  const predicate_of found = llvm::StringSwitch<predicate_of>(name)
                                 .Case("eq", llvm::CmpInst::ICMP_EQ)
                                 .Case("ne", llvm::CmpInst::ICMP_NE)
                                 .Case("lt", is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT)
                                 .Case("le", is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                                 .Case("gt", is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT)
                                 .Case("ge", is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE)
                                 .Case("lo", llvm::CmpInst::ICMP_ULT)
                                 .Case("ls", llvm::CmpInst::ICMP_ULE)
                                 .Case("hi", llvm::CmpInst::ICMP_UGT)
                                 .Case("hs", llvm::CmpInst::ICMP_UGE)
                                 .Default(unknown);
  const bool has_order = found != llvm::CmpInst::ICMP_EQ && found != llvm::CmpInst::ICMP_NE;
  return type.kind == 'b' && has_order ? unknown : found;
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
      .Case("nan", llvm::CmpInst::FCMP_UNO)
      .Default(unknown);
}

llvm::Value* combine(llvm::IRBuilder<>& b, llvm::StringRef operation, llvm::Value* x, llvm::Value* y) {
  if (operation == "and") return b.CreateAnd(x, y);
  if (operation == "or") return b.CreateOr(x, y);
  return operation == "xor" ? b.CreateXor(x, y) : nullptr;
}

}  // namespace

// setp.compare.type p|q, a, b and setp.compare.operation.type p|q, a, b, c. q takes the opposite of the comparison.
// set.compare.to.type d, a, b gives all ones or 1.0. selp and slct select by a predicate or by a sign.
bool ptx_lowering::lower_comparison(const ptx_statement& statement) {
  const auto& operands = statement.operands;
  llvm::SmallVector<llvm::StringRef, 5> words;
  llvm::StringRef(statement.opcode).split(words, '.');
  const auto type = parse_ptx_type(words.back());
  if (!type || type->kind == 'p' || operands.size() < 3) {
    return false;
  }
  auto& b = builder_;
  if (words[0] == "selp" && words.size() == 2 && operands.size() == 4) {
    llvm::Value* condition = predicate(operands[3]);
    llvm::Value* x = typed_source(operands[1], *type);
    llvm::Value* y = typed_source(operands[2], *type);
    return condition && x && y && write(operands[0], b.CreateSelect(condition, x, y), type->is_signed());
  }
  if (words[0] == "slct" && words.size() == 3 && operands.size() == 4 && type->bits == 32) {
    const auto of_result = parse_ptx_type(words[1]);
    if (!of_result) {
      return false;
    }
    llvm::Value* sign = typed_source(operands[3], *type);
    llvm::Value* x = typed_source(operands[1], *of_result);
    llvm::Value* y = typed_source(operands[2], *of_result);
    if (!sign || !x || !y || (type->kind != 's' && !type->is_float())) {
      return false;
    }
    auto* zero = llvm::Constant::getNullValue(sign->getType());
    auto* is_positive = type->is_float() ? b.CreateFCmpOGE(sign, zero) : b.CreateICmpSGE(sign, zero);
    return write(operands[0], b.CreateSelect(is_positive, x, y), of_result->is_signed());
  }
  const bool to_predicate = words[0] == "setp";
  const auto of_result = words[0] == "set" && words.size() > 3 ? parse_ptx_type(words[words.size() - 2]) : std::nullopt;
  if (!to_predicate && !of_result) {
    return false;
  }
  const predicate_of comparison = type->is_float() ? float_comparison(words[1]) : integer_comparison(words[1], *type);
  llvm::Value* x = typed_source(operands[1], *type);
  llvm::Value* y = typed_source(operands[2], *type);
  if (comparison == unknown || !x || !y) {
    return false;
  }
  llvm::Value* holds = b.CreateCmp(comparison, x, y);
  llvm::Value* opposite = b.CreateNot(holds);
  const size_t last = words.size() - (to_predicate ? 1 : 2);
  if (operands.size() == 4) {
    llvm::Value* third = last == 3 ? predicate(operands[3]) : nullptr;
    holds = third ? combine(b, words[2], holds, third) : nullptr;
    opposite = third ? combine(b, words[2], opposite, third) : nullptr;
    if (!holds) {
      return false;
    }
  } else if (operands.size() != 3 || last != 2) {
    return false;
  }
  if (to_predicate) {
    return write_both(operands[0], holds, opposite);
  }
  llvm::Type* result = type_of(*of_result);
  auto* truth = of_result->is_float() ? llvm::ConstantFP::get(result, 1.0) : llvm::Constant::getAllOnesValue(result);
  return write(operands[0], b.CreateSelect(holds, truth, llvm::Constant::getNullValue(result)), false);
}

// and.pred, or.pred, xor.pred, not.pred.
bool ptx_lowering::lower_predicates(const ptx_statement& statement) {
  llvm::StringRef name = statement.opcode;
  const auto& operands = statement.operands;
  if (!name.consume_back(".pred") || operands.size() < 2) {
    return false;
  }
  llvm::Value* x = predicate(operands[1]);
  if (name == "not" && x && operands.size() == 2) {
    return write(operands[0], builder_.CreateNot(x), false);
  }
  llvm::Value* y = operands.size() == 3 ? predicate(operands[2]) : nullptr;
  return x && y && write(operands[0], combine(builder_, name, x, y), false);
}

}  // namespace cohort
