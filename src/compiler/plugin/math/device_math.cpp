// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code calls SLEEF's scalar functions in place of the C library's. Runs before any optimization: LLVM folds
// sin(1.0) by the C library of the compiling machine, which gives other bits.
#include <string>

#include "analysis/cpu_features.hpp"
#include "lower/report_error.hpp"
#include "lowering.hpp"
#include "math/math_functions.hpp"
#include "math/wide_math.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace cohort {
namespace {

// The C library's name of the function that `call` calls: "sinf" for a call of sinf and for llvm.sin.f32, "sin" for
// llvm.sin.v4f64. Empty for functions that are defined here or by a user in another file.
std::string library_name(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || facts().undefined_device.count(callee->getName().str())) {
    return "";
  }
  llvm::StringRef name = callee->getName();
  if (!callee->isIntrinsic()) {
    return name.str();
  }
  name.consume_front("llvm.");
  const std::string base = name.substr(0, name.find('.')).str();
  return call.getType()->getScalarType()->isFloatTy() ? base + "f" : base;
}

// True if the call has the function's types, or vectors of them.
bool has_types_of(const llvm::CallInst& call, const math_row& row) {
  const llvm::Type* element = call.getType()->getScalarType();
  if (call.arg_size() != row.function->arguments || llvm::isa<llvm::ScalableVectorType>(call.getType()) ||
      !(row.is_double ? element->isDoubleTy() : element->isFloatTy())) {
    return false;
  }
  return llvm::all_of(call.args(), [&](const llvm::Use& argument) { return argument->getType() == call.getType(); });
}

math_family family_of(const llvm::Function& caller) {
  const bool fuses = !llvm::Triple(caller.getParent()->getTargetTriple()).isX86() || has_feature(caller, "fma");
  return fuses ? math_family::fused : math_family::plain;
}

llvm::FunctionCallee declare_scalar(llvm::Module& module, const math_row& row, math_family family) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = row.is_double ? llvm::Type::getDoubleTy(context) : llvm::Type::getFloatTy(context);
  const llvm::SmallVector<llvm::Type*, 2> parameters(row.function->arguments, type);
  auto function =
      module.getOrInsertFunction(symbol_of(row, scalar_form(family)), llvm::FunctionType::get(type, parameters, false));
  mark_pure(*llvm::cast<llvm::Function>(function.getCallee()));
  return function;
}

// A call of `function` in place of `call`; for vectors, a call for each element.
llvm::Value* call_instead(llvm::CallInst& call, llvm::FunctionCallee function) {
  llvm::IRBuilder<> b(&call);
  if (llvm::isa<llvm::FPMathOperator>(call)) {
    b.setFastMathFlags(call.getFastMathFlags());
  }
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  if (!vector) {
    return b.CreateCall(function, llvm::SmallVector<llvm::Value*, 2>(call.args()));
  }
  llvm::Value* result = llvm::PoisonValue::get(call.getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value*, 2> elements;
    for (llvm::Value* argument : call.args()) {
      elements.push_back(b.CreateExtractElement(argument, i));
    }
    result = b.CreateInsertElement(result, b.CreateCall(function, elements), i);
  }
  return result;
}

// The place of `call` in the user's code: the header's functions are always inlined.
const llvm::Instruction* place_in_source(const llvm::Instruction* call) {
  const llvm::Function& function = *call->getFunction();
  if (function.hasLocalLinkage() && function.hasFnAttribute(llvm::Attribute::AlwaysInline)) {
    for (const llvm::User* user : function.users()) {
      if (const auto* caller = llvm::dyn_cast<llvm::CallInst>(user); caller && caller->getFunction() != &function) {
        return place_in_source(caller);
      }
    }
  }
  return call;
}

}  // namespace

void lower_device_math(llvm::Module& module) {
  if (facts().options.math == math_library::libm) {
    return;
  }
  for (llvm::Function& caller : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(caller))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call) {
        continue;
      }
      const std::string name = library_name(*call);
      const auto row = find_math_row(name);
      if (!row || !has_types_of(*call, *row)) {
        continue;
      }
      if (facts().options.math == math_library::missing) {
        report_error(*place_in_source(call), "device code that calls " + name +
                                                 "() needs SLEEF: on Debian and Ubuntu, apt-get install libsleef3. "
                                                 "--cohort-math=libm takes the C library instead, with other bits");
        return;
      }
      llvm::Value* result = call_instead(*call, declare_scalar(module, *row, family_of(caller)));
      result->takeName(call);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

}  // namespace cohort
