// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic of 16, 32 and 64 bits: add sub mul fma mad div rcp sqrt rsqrt min max neg abs copysign; ex2
// lg2 sin cos tanh for 32 bits, ex2 and tanh for 16. It rounds to nearest, with 32 and 64 bits in each direction. An
// approximate instruction gives the exact one's result.
#include "lower/ptx/floats/modifiers.hpp"
#include "lower/ptx/floats/operation.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

using builder = llvm::IRBuilder<>;

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

// One rounding: the product is exact in double, and the sum is no near-tie of a half (half/arithmetic.h). LLVM computes
// a fused operation of halves in float, which rounds twice.
llvm::Value* fuse_halves(builder& b, llvm::ArrayRef<llvm::Value*> in) {
  auto wide = [&](llvm::Value* value) { return b.CreateFPExt(value, b.getDoubleTy()); };
  return b.CreateFPTrunc(b.CreateFAdd(b.CreateFMul(wide(in[0]), wide(in[1])), wide(in[2])), b.getHalfTy());
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

// Rounded toward zero, down or up by the device library; null for an instruction without these roundings.
llvm::Value* ptx_lowering::compute_directed(const float_operation& operation, llvm::ArrayRef<llvm::Value*> in) {
  llvm::Type* type = in[0]->getType();
  llvm::SmallVector<llvm::Value*, 4> arguments(in);
  llvm::StringRef name = operation.name == "mad" ? "fma" : operation.name;
  if (name == "sub" && in.size() == 2) {
    name = "add";
    arguments[1] = builder_.CreateFNeg(in[1]);
  } else if (name == "rcp" && in.size() == 1) {
    name = "div";
    arguments = {llvm::ConstantFP::get(type, 1.0), in[0]};
  }
  const unsigned expected =
      llvm::StringSwitch<unsigned>(name).Cases("add", "mul", "div", 2).Case("fma", 3).Case("sqrt", 1).Default(0);
  if (type->isHalfTy() || arguments.size() != expected) {
    return nullptr;
  }
  arguments.push_back(builder_.getInt32(rounding_number(operation.rounding)));
  return call(("cohort_ptx_" + name + (type->isFloatTy() ? "_f32" : "_f64")).str(), type, arguments);
}

// The result of an instruction on numbers of one type; null if there is none.
llvm::Value* ptx_lowering::compute_float(const float_operation& operation, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::SmallVector<llvm::Value*, 3> in(operands);
  for (llvm::Value*& value : in) {
    value = operation.flushes ? flush_subnormal(builder_, value) : value;
  }
  llvm::Type* type = in[0]->getType();
  llvm::Value* result = nullptr;
  const char* library = library_function(operation.name);
  if (!operation.rounding.empty()) {
    result = compute_directed(operation, in);
  } else if (in.size() == 1 && library && type->isFloatTy()) {
    result = call(library, type, in);
  } else if (in.size() == 1 && library && type->isHalfTy() && (operation.name == "ex2" || operation.name == "tanh")) {
    llvm::Value* wide = call(library, builder_.getFloatTy(), {builder_.CreateFPExt(in[0], builder_.getFloatTy())});
    result = builder_.CreateFPTrunc(wide, type);
  } else if (in.size() == 1) {
    result = of_one(builder_, operation.name, in[0]);
  } else if (in.size() == 2) {
    result = of_two(builder_, operation, in[0], in[1]);
  } else if (in.size() == 3 && (operation.name == "fma" || operation.name == "mad")) {
    result = type->isHalfTy() ? fuse_halves(builder_, in) : builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, in);
  }
  if (!result) {
    return nullptr;
  }
  result = operation.flushes ? flush_subnormal(builder_, result) : result;
  result = operation.stays_positive ? clamp_to_positive(builder_, result) : result;
  return operation.saturates ? clamp_to_unit(builder_, result) : result;
}

bool ptx_lowering::lower_floats(const ptx_statement& statement) {
  const auto [text, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_ptx_type(type_name);
  const auto operation = parse_float_operation(text);
  const auto& operands = statement.operands;
  if (!type || !type->is_float() || !operation || operands.size() < 2 ||
      (operation->stays_positive && type->bits != 16)) {
    return false;
  }
  llvm::SmallVector<llvm::Value*, 3> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    in.push_back(float_source(operands[i], type->bits));
    if (!in.back()) {
      return false;
    }
  }
  return write(operands[0], compute_float(*operation, in), false);
}

}  // namespace cohort
