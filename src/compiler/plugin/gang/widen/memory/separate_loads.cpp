// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/separate_loads.hpp"

#include "gang/target/function_target.hpp"

#include <utility>
#include <vector>

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cohort {
namespace {

// Limits of runs, counted in loads of one register each.
constexpr unsigned long_run = 512;
constexpr unsigned part_of_run = 64;

class load_runs {
 public:
  explicit load_runs(const llvm::Function& function)
      : layout_(function.getDataLayout()), target_(target_of(function)) {}

  void add(llvm::Instruction& instruction) {
    if (const unsigned count = registers_of(instruction)) {
      loads_.emplace_back(&instruction, count);
      total_ += count;
    } else if (instruction.mayWriteToMemory()) {
      end();
    }
  }

  void end() {
    unsigned since = 0;
    for (const auto& [load, count] : loads_) {
      since += count;
      if (total_ > long_run && since >= part_of_run) {
        auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(load->getContext()), false);
        llvm::InlineAsm* const nothing = llvm::InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true);
        llvm::IRBuilder<>(load->getNextNode()).CreateCall(type, nothing);
        since = 0;
        changed = true;
      }
    }
    loads_.clear();
    total_ = 0;
  }

  bool changed = false;

 private:
  // The loads that code generation makes of `instruction`.
  unsigned registers_of(const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather) {
      const unsigned lanes = llvm::cast<llvm::FixedVectorType>(call->getType())->getNumElements();
      return target_.has_mask_registers ? (lanes + 7) / 8 : lanes;
    }
    if (llvm::isa<llvm::LoadInst>(instruction) || (call && call->getIntrinsicID() == llvm::Intrinsic::masked_load)) {
      return 1 + layout_.getTypeStoreSize(instruction.getType()).getFixedValue() / (target_.registers.bits / 8);
    }
    return 0;
  }

  const llvm::DataLayout& layout_;
  const vector_target target_;
  std::vector<std::pair<llvm::Instruction*, unsigned>> loads_;  // loads since the last store
  unsigned total_ = 0;
};

}  // namespace

bool separate_loads(llvm::Function& function) {
  load_runs runs(function);
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      runs.add(instruction);
    }
    runs.end();
  }
  return runs.changed;
}

}  // namespace cohort
