// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the freedom that relaxed floating-point flags give, once, before a kernel is cloned. LLVM's backend would take
// it later, and differently in scalar and in vector code: one kernel's entries would then differ in their last bits.
//   contract  a product and a sum become one fused operation, by the rules of LLVM's backend for scalar code
//   arcp      divisions by one divisor become products with its reciprocal
// Afterwards no operation has a flag that lets its bits change.
#include "analysis/cpu_features.hpp"
#include "lowering.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cohort {
namespace {

// The types that the CPU multiplies and adds with one rounding. In another type a fused operation is a library call.
// Half precision has none, also where the CPU could fuse it: its bits are then equal on all CPUs.
class fused_types {
 public:
  explicit fused_types(const llvm::Function& function) {
    const llvm::Triple triple(function.getParent()->getTargetTriple());
    if (triple.isX86()) {
      fused_ = has_feature(function, "fma") || has_feature(function, "fma4") || has_feature(function, "avx512f");
    } else if (triple.isAArch64()) {
      fused_ = true;
    }
  }

  bool contains(const llvm::Type& type) const {
    const llvm::Type& element = *type.getScalarType();
    return fused_ && (element.isFloatTy() || element.isDoubleTy());
  }

 private:
  bool fused_ = false;
};

// The product that may become a part of `sum`: its only use, in the same block.
llvm::BinaryOperator* product_in(const llvm::Instruction& sum, unsigned operand) {
  auto* product = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(operand));
  const bool fits = product && product->getOpcode() == llvm::Instruction::FMul && product->hasAllowContract() &&
                    product->hasOneUse() && product->getParent() == sum.getParent();
  return fits ? product : nullptr;
}

// Replaces `sum` and one of its operands, preferably the first one, by a fused operation.
void fuse(llvm::BinaryOperator& sum) {
  const bool subtracts = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::BinaryOperator* product = product_in(sum, 0);
  const bool is_first = product != nullptr;
  if (!product) {
    product = product_in(sum, 1);
  }
  if (!product) {
    return;
  }
  llvm::IRBuilder<> b(&sum);
  b.setFastMathFlags(product->getFastMathFlags() & sum.getFastMathFlags());
  llvm::Value* factor = product->getOperand(0);
  llvm::Value* addend = sum.getOperand(is_first ? 1 : 0);
  if (subtracts && is_first) {
    addend = b.CreateFNeg(addend);
  } else if (subtracts) {
    factor = b.CreateFNeg(factor);
  }
  auto* fused =
      b.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {factor, product->getOperand(1), addend}, nullptr);
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  llvm::salvageDebugInfo(*product);
  product->eraseFromParent();
}

// Replaces a fmuladd, which may be fused, by an fma or by a product and a sum.
void decide(llvm::IntrinsicInst& multiply_add, bool fused) {
  llvm::IRBuilder<> b(&multiply_add);
  b.setFastMathFlags(multiply_add.getFastMathFlags());
  llvm::Value* factors[] = {multiply_add.getArgOperand(0), multiply_add.getArgOperand(1)};
  llvm::Value* addend = multiply_add.getArgOperand(2);
  llvm::Value* result =
      fused ? b.CreateIntrinsic(llvm::Intrinsic::fma, {multiply_add.getType()}, {factors[0], factors[1], addend})
            : b.CreateFAdd(b.CreateFMul(factors[0], factors[1]), addend);
  multiply_add.replaceAllUsesWith(result);
  multiply_add.eraseFromParent();
}

void fuse_products(llvm::Function& function, bool optimizes) {
  const fused_types types(function);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
      decide(*intrinsic, types.contains(*intrinsic->getType()));
      continue;
    }
    const bool is_sum =
        instruction.getOpcode() == llvm::Instruction::FAdd || instruction.getOpcode() == llvm::Instruction::FSub;
    if (optimizes && is_sum && instruction.hasAllowContract() && types.contains(*instruction.getType())) {
      fuse(llvm::cast<llvm::BinaryOperator>(instruction));
    }
  }
}

// Two divisions by one divisor in a block become products with its reciprocal, as in LLVM's backend for scalar code.
void share_reciprocals(llvm::BasicBlock& block) {
  llvm::MapVector<llvm::Value*, llvm::SmallVector<llvm::BinaryOperator*, 4>> divisions;
  for (llvm::Instruction& instruction : block) {
    if (instruction.getOpcode() == llvm::Instruction::FDiv && instruction.hasAllowReciprocal() &&
        !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
      divisions[instruction.getOperand(1)].push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
    }
  }
  for (auto& [divisor, list] : divisions) {
    if (list.size() < 2) {
      continue;
    }
    llvm::IRBuilder<> b(list.front());
    b.setFastMathFlags(list.front()->getFastMathFlags());
    llvm::Value* reciprocal = b.CreateFDiv(llvm::ConstantFP::get(divisor->getType(), 1), divisor, "reciprocal");
    for (llvm::BinaryOperator* division : list) {
      b.SetInsertPoint(division);
      b.setFastMathFlags(division->getFastMathFlags());
      llvm::Value* product = b.CreateFMul(division->getOperand(0), reciprocal);
      product->takeName(division);
      division->replaceAllUsesWith(product);
      division->eraseFromParent();
    }
  }
}

void drop_freedom(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::FPMathOperator>(instruction)) {
      instruction.setHasAllowContract(false);
      instruction.setHasAllowReciprocal(false);
      instruction.setHasApproxFunc(false);
    }
  }
  function.removeFnAttr("approx-func-fp-math");
}

}  // namespace

void fix_relaxed_arithmetic(llvm::Module& module, bool optimizes) {
  for (llvm::Function& function : module) {
    if (optimizes) {
      for (llvm::BasicBlock& block : function) {
        share_reciprocals(block);
      }
    }
    fuse_products(function, optimizes);
    drop_freedom(function);
  }
}

}  // namespace cohort
