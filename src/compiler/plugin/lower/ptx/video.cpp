// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions: vadd2 vadd4 vsub vavrg vabsdiff vmin vmax vset on the parts of a word, and their scalar forms
// with vshl and vshr, which select bytes and halves of their operands. Selectors of SIMD operands, .sat with a part of
// the result, and vmad, are not known.
#include "lower/ptx/conversion/clamp.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

constexpr unsigned wide_bits = 64;  // of one part while it is computed: nothing overflows

// The words of an opcode: "vadd2.s32.u32.u32.sat".
struct video_opcode {
  llvm::StringRef operation;  // "add"
  unsigned parts = 1;         // of a word
  bool is_signed = false;     // the result's type
  bool signed_first = false, signed_second = false;
  bool saturates = false;
  llvm::StringRef second;  // add, min or max with the third operand; for SIMD add alone
  llvm::StringRef mode;    // of a comparison: eq, ne ...; of a shift: clamp, wrap
};

bool is_signed_word(llvm::StringRef type) { return type == "s32"; }

std::optional<video_opcode> parse_video(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  opcode.split(words, '.');
  video_opcode result;
  result.operation = words[0];
  if (!result.operation.consume_front("v")) {
    return std::nullopt;
  }
  if (result.operation.consume_back("2")) {
    result.parts = 2;
  } else if (result.operation.consume_back("4")) {
    result.parts = 4;
  }
  const bool is_set = result.operation == "set", is_shift = result.operation == "shl" || result.operation == "shr";
  const bool is_known = llvm::StringSwitch<bool>(result.operation)
                            .Cases("add", "sub", "absdiff", "min", "max", "set", true)
                            .Case("avrg", result.parts > 1)
                            .Cases("shl", "shr", result.parts == 1)
                            .Default(false);
  const size_t types = is_set ? 2 : 3;  // the result of a comparison has no type
  if (!is_known || words.size() < 1 + types) {
    return std::nullopt;
  }
  for (size_t i = 1; i <= types; ++i) {
    if (words[i] != "u32" && words[i] != "s32") {
      return std::nullopt;
    }
  }
  result.is_signed = !is_set && is_signed_word(words[1]);
  result.signed_first = is_signed_word(words[types - 1]);
  result.signed_second = is_signed_word(words[types]);
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front(1 + types)) {
    if (word == "sat" && !is_set) {
      result.saturates = true;
    } else if (word == "add" || (result.parts == 1 && (word == "min" || word == "max"))) {
      result.second = word;
    } else if ((is_set && llvm::is_contained({"eq", "ne", "lt", "le", "gt", "ge"}, word)) ||
               (is_shift && (word == "clamp" || word == "wrap"))) {
      result.mode = word;
    } else {
      return std::nullopt;
    }
  }
  return (is_set || is_shift) == result.mode.empty() ? std::nullopt : std::optional(result);
}

// A part of a word: "b3" is a byte, "h1" a half, "" the word.
struct part {
  unsigned from = 0, bits = 32;
};

// Takes ".b3" or ".h1" off the operand.
std::optional<part> take_selector(llvm::StringRef& operand) {
  const auto [name, selector] = operand.rsplit('.');
  const unsigned bits = selector.starts_with("b") ? 8 : selector.starts_with("h") ? 16 : 0;
  if (bits == 0) {
    return part{};  // also "%tid.x"
  }
  unsigned number = 0;
  if (selector.drop_front().getAsInteger(10, number) || number >= 32 / bits) {
    return std::nullopt;
  }
  operand = name;
  return part{number * bits, bits};
}

llvm::Value* part_of(builder& b, llvm::Value* word, part where, bool is_signed) {
  auto* field = b.CreateTrunc(b.CreateLShr(word, where.from), b.getIntNTy(where.bits));
  return is_signed ? b.CreateSExt(field, b.getIntNTy(wide_bits)) : b.CreateZExt(field, b.getIntNTy(wide_bits));
}

llvm::Value* compare(builder& b, llvm::StringRef mode, llvm::Value* x, llvm::Value* y) {
  const auto predicate = llvm::StringSwitch<llvm::CmpInst::Predicate>(mode)
                             .Case("eq", llvm::CmpInst::ICMP_EQ)
                             .Case("ne", llvm::CmpInst::ICMP_NE)
                             .Case("lt", llvm::CmpInst::ICMP_SLT)
                             .Case("le", llvm::CmpInst::ICMP_SLE)
                             .Case("gt", llvm::CmpInst::ICMP_SGT)
                             .Default(llvm::CmpInst::ICMP_SGE);
  return b.CreateZExt(b.CreateICmp(predicate, x, y), x->getType());
}

// The operation on one part of each operand, before it is saturated.
llvm::Value* compute(builder& b, const video_opcode& opcode, llvm::Value* x, llvm::Value* y) {
  const llvm::StringRef name = opcode.operation;
  auto* sum = b.CreateAdd(x, y);
  if (name == "add") return sum;
  if (name == "sub") return b.CreateSub(x, y);
  if (name == "absdiff") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
  if (name == "min") return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  if (name == "max") return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
  if (name == "set") return compare(b, opcode.mode, x, y);
  if (name == "avrg") {  // rounds away from zero
    auto* is_positive = b.CreateICmpSGE(sum, llvm::Constant::getNullValue(sum->getType()));
    return b.CreateAShr(b.CreateAdd(sum, b.CreateZExt(is_positive, sum->getType())), 1);
  }
  auto* amount =
      opcode.mode == "wrap" ? b.CreateAnd(y, 31) : b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, y, b.getInt64(32));
  return name == "shl" ? b.CreateShl(x, amount) : b.CreateAShr(x, amount);
}

llvm::Value* saturate(builder& b, llvm::Value* value, unsigned bits, bool is_signed) {
  llvm::Value* const part = clamp(b, value, true, {is_signed ? 's' : 'u', bits});
  return is_signed ? b.CreateSExt(part, value->getType()) : b.CreateZExt(part, value->getType());
}

// The parts of a word, each computed; joined, or their sum added to `third`.
llvm::Value* compute_simd(builder& b, const video_opcode& opcode, llvm::ArrayRef<llvm::Value*> in) {
  llvm::Value* result = opcode.second == "add" ? in[2] : b.getInt32(0);
  for (unsigned i = 0; i < opcode.parts; ++i) {
    const part where = {i * 32 / opcode.parts, 32 / opcode.parts};
    llvm::Value* value = compute(b, opcode, part_of(b, in[0], where, opcode.signed_first),
                                 part_of(b, in[1], where, opcode.signed_second));
    if (opcode.saturates) {
      value = saturate(b, value, where.bits, opcode.is_signed);
    }
    value = b.CreateTrunc(value, b.getInt32Ty());
    if (opcode.second == "add") {
      result = b.CreateAdd(result, value);
    } else {
      const uint32_t mask = (uint32_t{1} << where.bits) - 1;
      result = b.CreateOr(result, b.CreateShl(b.CreateAnd(value, mask), where.from));
    }
  }
  return result;
}

llvm::Value* combine(builder& b, const video_opcode& opcode, llvm::Value* value, llvm::Value* third) {
  if (opcode.second == "add") {
    return b.CreateAdd(value, third);
  }
  const bool is_min = opcode.second == "min";
  return b.CreateBinaryIntrinsic(opcode.is_signed ? (is_min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                                  : (is_min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax),
                                 value, third);
}

}  // namespace

bool ptx_lowering::lower_video(const ptx_statement& statement) {
  const auto opcode = parse_video(statement.opcode);
  if (!opcode || statement.operands.size() < 3 || statement.operands.size() > 4) {
    return false;
  }
  llvm::SmallVector<llvm::Value*, 3> in;
  llvm::SmallVector<part, 4> parts;  // of the result and of each operand
  llvm::StringRef target;
  for (llvm::StringRef operand : statement.operands) {
    const auto selected = take_selector(operand);
    if (!selected || (selected->bits < 32 && (opcode->parts > 1 || parts.size() == 3))) {
      return false;
    }
    if (parts.empty()) {
      target = operand;
    } else {
      in.push_back(source(operand, 32, false));
      if (!in.back()) {
        return false;
      }
    }
    parts.push_back(*selected);
  }
  auto& b = builder_;
  if (opcode->parts > 1) {  // the third operand is what parts that a mask leaves out keep; there is no mask here
    return in.size() == 3 && write(target, compute_simd(b, *opcode, in), opcode->is_signed);
  }
  const part result_part = parts[0];
  const bool has_third = !opcode->second.empty() || result_part.bits < 32;
  // The PTX ISA and an H100 differ in .sat for a part of the result, so it is refused.
  const bool has_rule = result_part.bits == 32 || (opcode->second.empty() && !opcode->saturates);
  if (has_third != (in.size() == 3) || !has_rule) {
    return false;
  }
  llvm::Value* value = compute(b, *opcode, part_of(b, in[0], parts[1], opcode->signed_first),
                               part_of(b, in[1], parts[2], opcode->signed_second));
  if (opcode->saturates) {
    value = saturate(b, value, 32, opcode->is_signed);
  }
  value = b.CreateTrunc(value, b.getInt32Ty());
  if (!opcode->second.empty()) {
    value = combine(b, *opcode, value, in[2]);
  } else if (result_part.bits < 32) {
    const uint32_t mask = ((uint32_t{1} << result_part.bits) - 1) << result_part.from;
    value = b.CreateOr(b.CreateAnd(b.CreateShl(value, result_part.from), mask), b.CreateAnd(in[2], ~mask));
  }
  return write(target, value, opcode->is_signed);
}

}  // namespace cohort
