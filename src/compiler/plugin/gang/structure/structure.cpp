// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/structure.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

namespace cohort {
namespace {

// Replaces `unreachable` by `ret`: structurizing needs one exit of the function. Lanes never execute the `ret`, because
// the call before it does not return.
void return_instead_of_unreachable(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    if (auto* end = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator())) {
      llvm::ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
      end->eraseFromParent();  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): blocks own their instructions
    }
  }
}

bool has_only_simple_terminators(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::ReturnInst>(block.getTerminator())) {
      return false;
    }
  }
  return true;
}

bool has_vectors(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.getType()->isVectorTy()) {
      return true;
    }
    for (llvm::Value* operand : instruction.operands()) {
      if (operand->getType()->isVectorTy()) {
        return true;
      }
    }
  }
  return false;
}

// `nneg` promises something about the thread that executes the instruction. A signed conversion gives that thread the
// same result, and it is linear over lanes with negative values as well.
void drop_nonnegative_conversions(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* conversion = llvm::dyn_cast<llvm::PossiblyNonNegInst>(&instruction);
    if (!conversion || !conversion->hasNonNeg()) {
      continue;
    }
    llvm::IRBuilder<> builder(conversion);
    llvm::Value* source = conversion->getOperand(0);
    llvm::Value* replacement = llvm::isa<llvm::ZExtInst>(conversion)
                                   ? builder.CreateSExt(source, conversion->getType())
                                   : builder.CreateSIToFP(source, conversion->getType());
    replacement->takeName(conversion);
    conversion->replaceAllUsesWith(replacement);
    conversion->eraseFromParent();
  }
}

// Operands without a common bit: the sum is linear over the lanes, also where lane 0 is inactive and has common bits.
void add_instead_of_or(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
    if (disjoint && disjoint->isDisjoint() && disjoint->getType()->isIntegerTy()) {
      llvm::IRBuilder<> builder(disjoint);
      llvm::Value* sum = builder.CreateAdd(disjoint->getOperand(0), disjoint->getOperand(1), "", true, true);
      sum->takeName(disjoint);
      disjoint->replaceAllUsesWith(sum);
      disjoint->eraseFromParent();
    }
  }
}

// Extends the operands of an addition instead of its sum where the sum cannot wrap. Lane 0 may be inactive, and then
// its sum may wrap although no active lane's does; the sum of the extended operands is linear over the lanes.
void extend_operands(llvm::Function& function) {
  std::vector<llvm::CastInst*> work;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
      work.push_back(llvm::cast<llvm::CastInst>(&instruction));
    }
  }
  while (!work.empty()) {
    llvm::CastInst* extension = work.back();
    work.pop_back();
    const bool is_signed = llvm::isa<llvm::SExtInst>(extension);
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(extension->getOperand(0));
    if (!sum || !llvm::isa<llvm::OverflowingBinaryOperator>(sum) || sum->getOpcode() == llvm::Instruction::Shl ||
        !(is_signed ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap())) {
      continue;
    }
    llvm::IRBuilder<> builder(extension);
    llvm::Value* parts[2];
    for (unsigned i = 0; i < 2; ++i) {
      parts[i] = builder.CreateCast(extension->getOpcode(), sum->getOperand(i), extension->getType());
      if (auto* made = llvm::dyn_cast<llvm::CastInst>(parts[i])) {
        work.push_back(made);
      }
    }
    llvm::Value* replacement = builder.CreateBinOp(sum->getOpcode(), parts[0], parts[1]);
    extension->replaceAllUsesWith(replacement);
    extension->eraseFromParent();
  }
}

// Sides of a branch that compute one value, such as the address of the thread's element, meet in a phi, which counts as
// varying after a divergent branch. The value has one shape where it is computed before the branch.
void join_equal_values(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto equal_instruction = [](const llvm::PHINode& phi) -> llvm::Instruction* {
    auto* first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
    const bool all_equal = first && llvm::all_of(phi.incoming_values(), [&](const llvm::Value* incoming) {
                             auto* other = llvm::dyn_cast<llvm::Instruction>(incoming);
                             return other && first->isIdenticalToWhenDefined(other);
                           });
    return all_equal && phi.getNumIncomingValues() > 1 && !llvm::isa<llvm::PHINode>(first) &&
                   !first->mayReadFromMemory() && llvm::isSafeToSpeculativelyExecute(first)
               ? first
               : nullptr;
  };
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) {
      llvm::Instruction* value = equal_instruction(phi);
      const auto* above = value ? dominators.getNode(&block)->getIDom() : nullptr;
      llvm::Instruction* before = above ? above->getBlock()->getTerminator() : nullptr;
      if (!before || llvm::any_of(value->operands(), [&](const llvm::Use& operand) {
            auto* made = llvm::dyn_cast<llvm::Instruction>(operand.get());
            return made && !dominators.dominates(made, before);
          })) {
        continue;
      }
      llvm::Instruction* joined = value->clone();
      joined->dropPoisonGeneratingFlags();
      joined->insertBefore(before->getIterator());
      phi.replaceAllUsesWith(joined);
      phi.eraseFromParent();
      changed = true;
    }
  }
  if (changed) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
}

// The structurizer gives a value that crosses a region a chain of phis with undefined operands. One value without them
// has one shape: a phi of two names of a uniform value would count as varying.
void replace_equal_phis(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto equal_value = [&](const llvm::PHINode& phi) -> llvm::Value* {
    llvm::Value* only = nullptr;
    for (llvm::Value* incoming : phi.incoming_values()) {
      if (llvm::isa<llvm::UndefValue>(incoming) || incoming == &phi || incoming == only) {
        continue;
      }
      if (only) {
        return nullptr;
      }
      only = incoming;
    }
    auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(only);
    if (!made) {
      return only;
    }
    // Phis after a loop stay: lanes leave it with values of different iterations.
    const llvm::Loop* loop = loops.getLoopFor(made->getParent());
    return dominators.dominates(made, &phi) && (!loop || loop->contains(&phi)) ? only : nullptr;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock& block : function) {
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) {
        if (llvm::Value* same = equal_value(phi)) {
          phi.replaceAllUsesWith(same);
          phi.eraseFromParent();
          changed = true;
        }
      }
    }
  }
}

}  // namespace

bool structure(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  join_failures(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return_instead_of_unreachable(function);
  if (!has_only_simple_terminators(function)) {
    return false;
  }
  test_counters_first(function, analyses);
  join_equal_values(function, analyses);
  load_on_sides(function, analyses);
  llvm::FunctionPassManager passes;
  if (has_vectors(function)) {
    llvm::ScalarizerPassOptions options;
    options.ScalarizeVariableInsertExtract = true;
    options.ScalarizeLoadStore = true;
    options.ScalarizeMinBits = 0;
    passes.addPass(llvm::ScalarizerPass(options));
  }
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::UnifyFunctionExitNodesPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::UnifyLoopExitsPass());
  passes.addPass(llvm::StructurizeCFGPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.run(function, analyses);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  replace_equal_phis(function, analyses);
  drop_nonnegative_conversions(function);
  add_instead_of_or(function);
  extend_operands(function);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return !llvm::verifyFunction(function);
}

}  // namespace cohort
