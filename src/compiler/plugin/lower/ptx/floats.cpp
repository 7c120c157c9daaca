// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic of 16, 32 and 64 bits, rounded to nearest: add sub mul fma mad div rcp sqrt rsqrt min max
// neg abs copysign; ex2 lg2 sin cos tanh for 32 bits. An approximate instruction gives the exact one's result. `.ftz`
// replaces subnormal operands and results by zeros, `.sat` clamps to [0, 1] and turns NaN into 0.
#include "lower/ptx/float_modifiers.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

struct float_operation {
  llvm::StringRef name;  // "add"
  bool flushes = false;
  bool saturates = false;
  bool keeps_nan = false;  // min.NaN, max.NaN
};

// Reads "add.rn.ftz.sat" or "sqrt.approx"; none if a word is unknown or another rounding.
std::optional<float_operation> parse_operation(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, '.');
  float_operation operation;
  operation.name = words.front();
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front()) {
    if (word == "ftz") {
      operation.flushes = true;
    } else if (word == "sat") {
      operation.saturates = true;
    } else if (word == "NaN") {
      operation.keeps_nan = true;
    } else if (word != "rn" && word != "approx" && word != "full") {
      return std::nullopt;
    }
  }
  return operation;
}

llvm::Value* of_one(builder& b, llvm::StringRef name, llvm::Value* x) {
  auto* one = llvm::ConstantFP::get(x->getType(), 1.0);
  if (name == "neg") return b.CreateFNeg(x);
  if (name == "abs") return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  if (name == "rcp") return b.CreateFDiv(one, x);
  if (name == "sqrt") return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
  return name == "rsqrt" ? b.CreateFDiv(one, b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x)) : nullptr;
}

llvm::Value* of_two(builder& b, const float_operation& operation, llvm::Value* x, llvm::Value* y) {
  const llvm::StringRef name = operation.name;
  auto extreme = [&](llvm::Intrinsic::ID number, llvm::Intrinsic::ID nan) {
    return b.CreateBinaryIntrinsic(operation.keeps_nan ? nan : number, x, y);
  };
  if (name == "add") return b.CreateFAdd(x, y);
  if (name == "sub") return b.CreateFSub(x, y);
  if (name == "mul") return b.CreateFMul(x, y);
  if (name == "div") return b.CreateFDiv(x, y);
  if (name == "min") return extreme(llvm::Intrinsic::minnum, llvm::Intrinsic::minimum);
  if (name == "max") return extreme(llvm::Intrinsic::maxnum, llvm::Intrinsic::maximum);
  return name == "copysign" ? b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, y, x) : nullptr;
}

// C's function with the value of an approximate instruction; null if there is none.
const char* library_function(llvm::StringRef name) {
  return llvm::StringSwitch<const char*>(name)
      .Case("ex2", "exp2f")
      .Case("lg2", "log2f")
      .Case("sin", "sinf")
      .Case("cos", "cosf")
      .Case("tanh", "tanhf")
      .Default(nullptr);
}

}  // namespace

bool ptx_lowering::lower_floats(const ptx_statement& statement) {
  const auto [text, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_ptx_type(type_name);
  const auto operation = parse_operation(text);
  const auto& operands = statement.operands;
  if (!type || !type->is_float() || !operation || operands.size() < 2) {
    return false;
  }
  llvm::SmallVector<llvm::Value*, 3> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    llvm::Value* value = float_source(operands[i], type->bits);
    if (!value) {
      return false;
    }
    in.push_back(operation->flushes ? flush_subnormal(builder_, value) : value);
  }
  llvm::Value* result = nullptr;
  const char* library = library_function(operation->name);
  if (in.size() == 1) {
    result = library && type->bits == 32 ? call(library, builder_.getFloatTy(), in)
                                         : of_one(builder_, operation->name, in[0]);
  } else if (in.size() == 2) {
    result = of_two(builder_, *operation, in[0], in[1]);
  } else if (in.size() == 3 && (operation->name == "fma" || operation->name == "mad")) {
    result = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {in[0]->getType()}, in);
  }
  if (!result) {
    return false;
  }
  result = operation->flushes ? flush_subnormal(builder_, result) : result;
  return write(operands[0], operation->saturates ? clamp_to_unit(builder_, result) : result, false);
}

}  // namespace cohort
