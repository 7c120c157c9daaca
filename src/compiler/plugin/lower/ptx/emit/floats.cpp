// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic of f16, f32, f64, bf16 and of pairs, each element on its own. The device library rounds
// in other directions than to nearest, and bf16.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/modifiers.hpp"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace cohort::ptx {
namespace {

using numbers = llvm::ArrayRef<llvm::Value*>;

bool is_bfloat16(const emission& e) { return e.of().kind == type_kind::bfloat16; }
std::string_view direction(const emission& e) { return e.op.one_of({"rz", "rm", "rp"}); }
llvm::Value* constant(numbers like, double value) { return llvm::ConstantFP::get(like[0]->getType(), value); }

// One element: bf16 is computed in float. Modifiers apply to its operands and its result.
template <class Compute>
llvm::Value* compute_element(emission& e, llvm::ArrayRef<llvm::Value*> in, Compute compute) {
  auto& b = e.b;
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (llvm::Value* value : in) {
    if (is_bfloat16(e)) {
      value = call(b, ptx_call::cohort_ptx_bf16_to_f32, {value});
    }
    operands.push_back(e.op.has("ftz") ? flush_subnormal(b, value) : value);
  }
  llvm::Value* result = compute(numbers(operands));
  result = e.op.has("ftz") ? flush_subnormal(b, result) : result;
  result = e.op.has("relu") ? clamp_to_positive(b, result) : result;
  result = e.op.has("sat") ? clamp_to_unit(b, result) : result;
  return is_bfloat16(e) ? call(b, ptx_call::cohort_ptx_f32_to_bf16, {result, b.getInt32(0)}) : result;
}

template <class Compute>
llvm::Value* each_element(emission& e, Compute compute) {
  auto& b = e.b;
  if (e.of().elements == 1) {
    return compute_element(e, e.in, compute);
  }
  llvm::Value* result = b.getInt32(0);
  for (unsigned shift = 0; shift < 32; shift += 16) {
    llvm::SmallVector<llvm::Value*, 3> in;
    for (llvm::Value* pair : e.in) {
      llvm::Value* element = b.CreateTrunc(b.CreateLShr(pair, shift), b.getInt16Ty());
      in.push_back(is_bfloat16(e) ? element : b.CreateBitCast(element, b.getHalfTy()));
    }
    llvm::Value* bits = b.CreateBitCast(compute_element(e, in, compute), b.getInt16Ty());
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(bits, b.getInt32Ty()), shift));
  }
  return result;
}

// The device library's functions of an operator that round toward zero, down or up.
struct directed_operator {
  ptx_call of_f32, of_f64;
};
#define DIRECTED(name) {ptx_call::cohort_ptx_##name##_f32, ptx_call::cohort_ptx_##name##_f64}
constexpr directed_operator directed_sum = DIRECTED(add), directed_product = DIRECTED(mul),
                            directed_quotient = DIRECTED(div), directed_fusion = DIRECTED(fma),
                            directed_root = DIRECTED(sqrt);
#undef DIRECTED

llvm::Value* directed(emission& e, const directed_operator& functions, llvm::ArrayRef<llvm::Value*> in) {
  llvm::SmallVector<llvm::Value*, 4> arguments(in);
  arguments.push_back(e.b.getInt32(rounding_number(direction(e))));
  return call(e.b, in[0]->getType()->isFloatTy() ? functions.of_f32 : functions.of_f64, arguments);
}

llvm::Value* fused_bfloat16(emission& e, llvm::Value* x, llvm::Value* y, llvm::Value* z) {
  return call(e.b, ptx_call::cohort_ptx_bf16_fma, {x, y, z});
}

llvm::Value* sum(emission& e, llvm::Value* x, llvm::Value* y) {
  if (is_bfloat16(e)) {
    return fused_bfloat16(e, x, constant({x}, 1), y);
  }
  return direction(e).empty() ? e.b.CreateFAdd(x, y) : directed(e, directed_sum, {x, y});
}

llvm::Value* quotient(emission& e, llvm::Value* x, llvm::Value* y) {
  return direction(e).empty() ? e.b.CreateFDiv(x, y) : directed(e, directed_quotient, {x, y});
}

llvm::Value* fused(emission& e, numbers in) {
  auto& b = e.b;
  if (is_bfloat16(e)) {
    return fused_bfloat16(e, in[0], in[1], in[2]);
  }
  if (!direction(e).empty()) {
    return directed(e, directed_fusion, in);
  }
  llvm::Type* type = in[0]->getType();
  if (!type->isHalfTy()) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, in);
  }
  // One rounding: the product is exact in double, and the sum is no near-tie of a half (half/arithmetic.h). LLVM
  // computes a fused operation of halves in float, which rounds twice.
  auto wide = [&](llvm::Value* value) { return b.CreateFPExt(value, b.getDoubleTy()); };
  return b.CreateFPTrunc(b.CreateFAdd(b.CreateFMul(wide(in[0]), wide(in[1])), wide(in[2])), b.getHalfTy());
}

results extreme(emission& e, llvm::Intrinsic::ID number, llvm::Intrinsic::ID nan) {
  return each_element(
      e, [&](numbers in) { return e.b.CreateBinaryIntrinsic(e.op.has("NaN") ? nan : number, in[0], in[1]); });
}

// Computes an approximate instruction by C's function for float, whose result is more exact.
results library_value(emission& e, const char* function) {
  return each_element(e, [&](numbers in) -> llvm::Value* {
    llvm::Type* type = in[0]->getType();
    llvm::Value* wide = type->isHalfTy() ? e.b.CreateFPExt(in[0], e.b.getFloatTy()) : in[0];
    llvm::Module& module = *e.b.GetInsertBlock()->getModule();
    llvm::Value* result =
        e.b.CreateCall(module.getOrInsertFunction(function, e.b.getFloatTy(), e.b.getFloatTy()), {wide});
    return type->isHalfTy() ? e.b.CreateFPTrunc(result, type) : result;
  });
}

}  // namespace

results add_floats(emission& e) {
  return each_element(e, [&](numbers in) { return sum(e, in[0], in[1]); });
}
results subtract_floats(emission& e) {
  return each_element(e, [&](numbers in) {
    const bool is_plain = !is_bfloat16(e) && direction(e).empty();
    return is_plain ? e.b.CreateFSub(in[0], in[1]) : sum(e, in[0], e.b.CreateFNeg(in[1]));
  });
}
results multiply_floats(emission& e) {
  return each_element(e, [&](numbers in) -> llvm::Value* {
    if (is_bfloat16(e)) {
      return fused_bfloat16(e, in[0], in[1], constant(in, -0.0));  // keeps the sign of a zero
    }
    return direction(e).empty() ? e.b.CreateFMul(in[0], in[1]) : directed(e, directed_product, in);
  });
}
results fuse_floats(emission& e) {
  return each_element(e, [&](numbers in) { return fused(e, in); });
}
results divide_floats(emission& e) {
  return each_element(e, [&](numbers in) { return quotient(e, in[0], in[1]); });
}
results reciprocal(emission& e) {
  return each_element(e, [&](numbers in) { return quotient(e, constant(in, 1), in[0]); });
}
results square_root(emission& e) {
  return each_element(e, [&](numbers in) -> llvm::Value* {
    return direction(e).empty() ? e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, in[0])
                                : directed(e, directed_root, in);
  });
}
results reciprocal_root(emission& e) {
  return each_element(e, [&](numbers in) {
    return e.b.CreateFDiv(constant(in, 1), e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, in[0]));
  });
}

results minimum_float(emission& e) { return extreme(e, llvm::Intrinsic::minnum, llvm::Intrinsic::minimum); }
results maximum_float(emission& e) { return extreme(e, llvm::Intrinsic::maxnum, llvm::Intrinsic::maximum); }

results negate_float(emission& e) {
  return each_element(e, [&](numbers in) { return e.b.CreateFNeg(in[0]); });
}
results absolute_float(emission& e) {
  return each_element(e, [&](numbers in) { return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, in[0]); });
}
results copy_sign(emission& e) {
  return each_element(e, [&](numbers in) {  // the sign of the first operand
    return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, in[1], in[0]);
  });
}

results exponential(emission& e) { return library_value(e, "exp2f"); }
results logarithm(emission& e) { return library_value(e, "log2f"); }
results sine(emission& e) { return library_value(e, "sinf"); }
results cosine(emission& e) { return library_value(e, "cosf"); }
results hyperbolic_tangent(emission& e) { return library_value(e, "tanhf"); }

}  // namespace cohort::ptx
