// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/wide_math.hpp"

#include "analysis/cpu_features.hpp"
#include "lowering.hpp"
#include "math/math_functions.hpp"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

bool has_instructions(const llvm::Function& caller, const math_form& form) {
  if (!llvm::Triple(caller.getParent()->getTargetTriple()).isX86()) {
    return true;  // other architectures have no form beyond NEON, which each of their CPUs has
  }
  return has_feature(caller, form.bits == 512 ? "avx512f" : "avx2") && has_feature(caller, "fma");
}

llvm::FunctionCallee declare(llvm::Module& module, const scalar_math& scalar, const math_form& form) {
  llvm::LLVMContext& context = module.getContext();
  auto* element = scalar.row.is_double ? llvm::Type::getDoubleTy(context) : llvm::Type::getFloatTy(context);
  auto* vector = llvm::FixedVectorType::get(element, lanes_of(form, scalar.row.is_double));
  const llvm::SmallVector<llvm::Type*, 2> parameters(scalar.row.function->arguments, vector);
  auto function =
      module.getOrInsertFunction(symbol_of(scalar.row, form), llvm::FunctionType::get(vector, parameters, false));
  mark_pure(*llvm::cast<llvm::Function>(function.getCallee()));
  return function;
}

// Offers LLVM's vectorizers the wide forms of the function that `call` calls.
void offer_wide_forms(llvm::CallInst& call, unsigned register_bits,
                      llvm::SmallVectorImpl<llvm::GlobalValue*>& declared) {
  const llvm::Function* callee = call.getCalledFunction();
  const auto scalar = callee ? find_scalar_math(callee->getName().str()) : std::nullopt;
  if (!scalar) {
    return;
  }
  llvm::SmallVector<std::string, 3> variants;
  for (const math_form& form : math_forms) {
    if (form.bits == 0 || form.bits > register_bits || form.family != scalar->family ||
        !has_instructions(*call.getFunction(), form)) {
      continue;
    }
    auto* function = llvm::cast<llvm::Function>(declare(*call.getModule(), *scalar, form).getCallee());
    const std::string parameters(scalar->row.function->arguments, 'v');
    variants.push_back("_ZGV_LLVM_N" + std::to_string(lanes_of(form, scalar->row.is_double)) + parameters + "_" +
                       callee->getName().str() + "(" + function->getName().str() + ")");
    declared.push_back(function);
  }
  llvm::VFABI::setVectorVariantNames(&call, variants);
}

}  // namespace

void mark_pure(llvm::Function& function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  function.setNoSync();
  function.setDoesNotFreeMemory();
  function.addFnAttr(llvm::Attribute::NoCallback);
}

std::optional<wide_math> wide_form_of(const llvm::Function& scalar, unsigned lanes, const llvm::Function& caller) {
  const auto known = find_scalar_math(scalar.getName().str());
  if (!known) {
    return std::nullopt;
  }
  const math_form* widest = nullptr;
  for (const math_form& form : math_forms) {
    if (form.bits != 0 && form.family == known->family && lanes_of(form, known->row.is_double) <= lanes &&
        (!widest || form.bits > widest->bits) && has_instructions(caller, form)) {
      widest = &form;
    }
  }
  if (!widest) {
    return std::nullopt;
  }
  auto& module = const_cast<llvm::Module&>(*caller.getParent());  // the module gets a declaration
  return wide_math{declare(module, *known, *widest), lanes_of(*widest, known->row.is_double)};
}

bool has_wide_math(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && wide_form_of(*callee, ~0u, function);
  });
}

void offer_wide_math(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::GlobalValue*, 16> declared;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    // A function that prefers narrower vectors would pass one of 512 bits in two registers.
    const unsigned bits = analyses.getResult<llvm::TargetIRAnalysis>(function)
                              .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                              .getFixedValue();
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        offer_wide_forms(*call, bits, declared);
      }
    }
  }
  llvm::appendToCompilerUsed(module, declared);  // keeps the declarations until the vectorizers have run
}

}  // namespace cohort
