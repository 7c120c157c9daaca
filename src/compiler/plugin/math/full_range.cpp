// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completes SLEEF's functions where their results are wrong: arguments whose result is next to an overflow, and
// logarithms of huge numbers. Simplifies powers with a constant exponent, as LLVM does for the C library's pow.
#include <cmath>
#include <string_view>

#include "lowering.hpp"
#include "math/math_functions.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cohort {
namespace {

using llvm::Value;

// Replaces one call of a scalar function by code that is right for all arguments.
class completion {
 public:
  completion(llvm::CallInst& call, const scalar_math& scalar)
      : original_(call), row_(scalar.row), family_(scalar.family), x_(call.getArgOperand(0)), b_(&call) {}

  void run() {
    const std::string_view name = row_.function->name;
    Value* result = nullptr;
    if (name == "pow") {
      result = power_by_constant();
      if (!result && row_.is_double) {
        result = retry_overflow();
      }
    } else if (name == "exp" || name == "cosh" || name == "sinh") {
      result = row_.limit() == 0 ? nullptr : reduce_large(name);
    } else if (row_.limit() != 0) {
      result = logarithm_of_large(name);
    }
    if (result) {
      original_.replaceAllUsesWith(result);
      original_.eraseFromParent();
    }
  }

 private:
  Value* number(double value) const { return llvm::ConstantFP::get(x_->getType(), value); }
  Value* magnitude(Value* value) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); }
  Value* with_sign_of(Value* value, Value* sign) {
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, value, sign);
  }
  Value* call_original(llvm::ArrayRef<Value*> arguments) {
    return b_.CreateCall(original_.getCalledFunction(), arguments);
  }
  Value* call_log(Value* argument) {
    const math_row log{find_math_row("log")->function, row_.is_double};  // NOLINT(bugprone-unchecked-optional-access)
    return b_.CreateCall(original_.getModule()->getOrInsertFunction(symbol_of(log, scalar_form(family_)),
                                                                    original_.getCalledFunction()->getFunctionType(),
                                                                    original_.getCalledFunction()->getAttributes()),
                         argument);
  }
  llvm::MDNode* rarely() const { return llvm::MDBuilder(x_->getContext()).createBranchWeights(1, 1000); }
  // Joins two values at the start of the block that now begins with the original call.
  Value* join(Value* first, llvm::BasicBlock* from, Value* second, llvm::BasicBlock* other) {
    b_.SetInsertPoint(&original_);
    llvm::PHINode* phi = b_.CreatePHI(x_->getType(), 2);
    phi->addIncoming(first, from);
    phi->addIncoming(second, other);
    return phi;
  }

  // The power for a constant exponent; null if the exponent is not one of the constants below.
  Value* power_by_constant() {
    const auto* exponent = llvm::dyn_cast<llvm::ConstantFP>(original_.getArgOperand(1));
    if (!exponent) {
      return nullptr;
    }
    auto is = [&](double value) { return exponent->isExactlyValue(value); };
    if (is(0.0) || is(-0.0)) {
      return number(1.0);
    }
    if (is(1.0)) {
      return x_;
    }
    if (is(2.0)) {
      return b_.CreateFMul(x_, x_);
    }
    if (is(-1.0)) {
      return b_.CreateFDiv(number(1.0), x_);
    }
    if (is(0.5)) {  // pow(-0, 1/2) is +0, pow(-inf, 1/2) is +inf
      Value* root = b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, b_.CreateFAdd(x_, number(0.0)));
      return b_.CreateSelect(b_.CreateFCmpOEQ(x_, number(-HUGE_VAL)), number(HUGE_VAL), root);
    }
    return nullptr;
  }

  // pow overflows from 2^1024 * (1 - 2e-9) on. The square of the power with half the exponent has at most 2 ulp, and
  // is infinite where the exact result is. Powers of 0 and of infinity are right, and so is x itself for y = 1.
  Value* retry_overflow() {
    Value* y = original_.getArgOperand(1);
    Value* power = call_original({x_, y});
    Value* infinite = b_.CreateFCmpOEQ(magnitude(power), number(HUGE_VAL));
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(infinite, original_.getIterator(), false, rarely());
    b_.SetInsertPoint(then);
    Value* base = magnitude(x_);
    Value* root = call_original({base, b_.CreateFMul(y, number(0.5))});
    Value* square = b_.CreateSelect(b_.CreateFCmpOEQ(y, number(1.0)), base, b_.CreateFMul(root, root));
    Value* right = b_.CreateOr(b_.CreateFCmpOEQ(base, number(0.0)), b_.CreateFCmpOEQ(base, number(HUGE_VAL)));
    Value* result = b_.CreateSelect(right, power, with_sign_of(square, power));
    return join(result, then->getParent(), power, before);
  }

  // exp, cosh and sinh overflow too early. Above the limit, f(x) is f(x - 64 ln 2) * 2^64. The subtracted number has
  // few digits, so that the difference is exact; `rest` is its excess over 64 ln 2, and exp(rest) is 1 + rest.
  Value* reduce_large(std::string_view name) {
    constexpr double high = 0x1.62e42fefa39efp+5, low = 0x1.abc9e3b39803fp-50;  // 64 ln 2 in two parts
    const double unit = row_.is_double ? 0x1p-43 : 0x1p-17;                     // a ulp below 1024, and below 128
    const double subtracted = std::ceil(high / unit) * unit;
    const double rest = (subtracted - high) - low;
    Value* size = name == "exp" ? x_ : magnitude(x_);
    Value* large = b_.CreateFCmpOGT(size, number(row_.limit()));
    Value* reduced = b_.CreateFSub(size, number(subtracted));
    if (name == "sinh") {
      reduced = with_sign_of(reduced, x_);
    }
    Value* result = call_original(b_.CreateSelect(large, reduced, x_));
    Value* corrected = b_.CreateFAdd(result, b_.CreateFMul(result, number(rest)));
    return b_.CreateSelect(large, b_.CreateFMul(corrected, number(0x1p64)), result);
  }

  Value* logarithm_of_large(std::string_view name) {
    Value* size = name == "asinh" ? magnitude(x_) : x_;
    Value* large = b_.CreateFCmpOGT(size, number(row_.limit()));
    llvm::Instruction *then, *otherwise;
    llvm::SplitBlockAndInsertIfThenElse(large, original_.getIterator(), &then, &otherwise, rarely());
    b_.SetInsertPoint(otherwise);
    Value* usual = call_original(x_);
    b_.SetInsertPoint(then);
    Value* result = call_log(size);
    if (name == "asinh" || name == "acosh") {
      constexpr double ln2 = 0.693147180559945309417232121458176568;
      result = b_.CreateFAdd(result, number(ln2));
    } else if (name == "lgamma") {
      result = b_.CreateFMul(x_, b_.CreateFSub(result, number(1.0)));
    }
    if (name == "asinh") {
      result = with_sign_of(result, x_);
    }
    return join(result, then->getParent(), usual, otherwise->getParent());
  }

  llvm::CallInst& original_;
  const math_row row_;
  const math_family family_;
  Value* x_;
  llvm::IRBuilder<> b_;
};

}  // namespace

void complete_device_math(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  std::vector<std::pair<llvm::CallInst*, scalar_math>> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (const auto scalar = callee ? find_scalar_math(callee->getName().str()) : std::nullopt) {
        calls.emplace_back(call, *scalar);
      }
    }
  }
  for (const auto& [call, scalar] : calls) {
    llvm::Function& caller = *call->getFunction();
    completion(*call, scalar).run();
    analyses.invalidate(caller, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
