// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of bf16 and of pairs: add sub mul fma min max neg abs ex2 tanh for bf16, f16x2 and bf16x2, each element on
// its own.
#include "lower/ptx/floats/modifiers.hpp"
#include "lower/ptx/floats/operation.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace cohort {
namespace {

// Operands of an instruction; 0 for one that these types lack.
unsigned operand_count(llvm::StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .Cases("add", "sub", "mul", "min", "max", 2)
      .Cases("neg", "abs", "ex2", "tanh", 1)
      .Case("fma", 3)
      .Default(0);
}

}  // namespace

// On floats that bf16 holds, to the bits of a bf16. The device library rounds sums and products once.
llvm::Value* ptx_lowering::compute_bfloat16(const float_operation& operation, llvm::ArrayRef<llvm::Value*> in) {
  auto number = [&](double value) { return llvm::ConstantFP::get(builder_.getFloatTy(), value); };
  auto fuse = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return call("cohort_ptx_bf16_fma", builder_.getFloatTy(), {a, b, c});
  };
  llvm::Value* result = nullptr;
  if (operation.name == "add") {
    result = fuse(in[0], number(1), in[1]);
  } else if (operation.name == "sub") {
    result = fuse(in[0], number(1), builder_.CreateFNeg(in[1]));
  } else if (operation.name == "mul") {
    result = fuse(in[0], in[1], number(-0.0));  // keeps the sign of a zero
  } else if (operation.name == "fma") {
    result = fuse(in[0], in[1], in[2]);
  } else {
    result = compute_float(operation, in);
  }
  result = operation.stays_positive ? clamp_to_positive(builder_, result) : result;
  return call("cohort_ptx_f32_to_bf16", builder_.getInt16Ty(), {result, builder_.getInt32(0)});
}

bool ptx_lowering::lower_small_floats(const ptx_statement& statement) {
  auto [text, type] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto operation = parse_float_operation(text);
  const bool is_pair = type.consume_back("x2"), is_bfloat16 = type == "bf16";
  if (!operation) {
    return false;
  }
  const unsigned count = operand_count(operation->name);
  if ((!is_bfloat16 && (type != "f16" || !is_pair)) || count == 0 || statement.operands.size() != count + 1 ||
      !operation->rounding.empty() ||
      (is_bfloat16 && ((operation->flushes && operation->name != "ex2") || operation->saturates))) {
    return false;
  }
  const unsigned bits = is_pair ? 32 : 16;
  llvm::Value* result = llvm::Constant::getNullValue(builder_.getIntNTy(bits));
  for (unsigned shift = 0; shift < bits; shift += 16) {
    llvm::SmallVector<llvm::Value*, 3> in;
    for (unsigned i = 1; i <= count; ++i) {
      llvm::Value* all = source(statement.operands[i], bits, false);
      if (!all) {
        return false;
      }
      llvm::Value* element = builder_.CreateTrunc(builder_.CreateLShr(all, shift), builder_.getInt16Ty());
      in.push_back(is_bfloat16 ? call("cohort_ptx_bf16_to_f32", builder_.getFloatTy(), {element})
                               : builder_.CreateBitCast(element, builder_.getHalfTy()));
    }
    llvm::Value* element =
        is_bfloat16 ? compute_bfloat16(*operation, in) : cast(compute_float(*operation, in), builder_.getInt16Ty());
    result = builder_.CreateOr(result, builder_.CreateShl(builder_.CreateZExt(element, result->getType()), shift));
  }
  return write(statement.operands[0], result, false);
}

}  // namespace cohort
