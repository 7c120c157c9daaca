// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_threads() groups the lanes that wait at one call site. LLVM may merge equal calls of two branches into one
// call, which would join two call sites; an attribute on the calls prevents that. Inside loops the iteration is part of
// the site: lanes in different iterations of a loop do not form a group.
#include "lowering.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {

void keep_converged_sites(llvm::Module& module) {
  llvm::Function* converged = module.getFunction("cohort_wait_converged");
  if (!converged) {
    return;
  }
  llvm::SmallPtrSet<llvm::Function*, 16> seen{converged};
  std::vector<llvm::Function*> work{converged};
  while (!work.empty()) {
    llvm::Function* callee = work.back();
    work.pop_back();
    for (llvm::User* user : callee->users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != callee) {
        continue;
      }
      call->addFnAttr(llvm::Attribute::NoMerge);
      if (seen.insert(call->getFunction()).second) {
        work.push_back(call->getFunction());
      }
    }
  }
}

namespace {

// Counts the iterations of each loop of a function, from 0.
class iteration_counters {
 public:
  llvm::Value* of(llvm::Loop& loop) {
    llvm::Value*& known = counters_[&loop];
    if (!known) {
      llvm::BasicBlock* header = loop.getHeader();
      llvm::IRBuilder<> builder(header, header->begin());
      auto* number = builder.getInt64Ty();
      auto* count = builder.CreatePHI(number, 2, "iteration");
      llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> next;  // a block may be a predecessor more than once
      for (llvm::BasicBlock* before : llvm::predecessors(header)) {
        llvm::Value*& value = next[before];
        if (!value) {
          value = loop.contains(before)
                      ? llvm::IRBuilder<>(before->getTerminator()).CreateAdd(count, llvm::ConstantInt::get(number, 1))
                      : llvm::ConstantInt::get(number, 0);
        }
        count->addIncoming(value, before);
      }
      known = count;
    }
    return known;
  }

 private:
  llvm::DenseMap<llvm::Loop*, llvm::Value*> counters_;
};

// Bits 32 to 63 hold the outermost loop's count, bits 0 to 31 the next loop's. The counts of deeper loops are hashed
// into the low half.
llvm::Value* iteration_key(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Loop*> loops,
                           iteration_counters& counters) {
  llvm::Value* inner = builder.getInt64(0);
  for (llvm::Loop* loop : loops.drop_front()) {
    inner = builder.CreateAdd(builder.CreateMul(inner, builder.getInt64(0x9e3779b1)), counters.of(*loop));
  }
  inner = builder.CreateAnd(inner, builder.getInt64(0xffffffff));
  return builder.CreateOr(builder.CreateShl(counters.of(*loops.front()), 32), inner);
}

}  // namespace

void number_converged_iterations(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  llvm::Function* converged = module.getFunction("cohort_wait_converged");
  if (!converged) {
    return;
  }
  llvm::MapVector<llvm::Function*, std::vector<llvm::CallInst*>> calls;
  for (llvm::User* user : converged->users()) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == converged) {
      calls[call->getFunction()].push_back(call);
    }
  }
  uint32_t loops_seen = 0;
  for (auto& [function, list] : calls) {
    auto& info = analyses.getResult<llvm::LoopAnalysis>(*function);
    iteration_counters counters;
    llvm::DenseMap<llvm::Loop*, uint32_t> numbers;  // of outermost loops
    for (llvm::CallInst* call : list) {
      llvm::SmallVector<llvm::Loop*, 4> loops;
      for (llvm::Loop* loop = info.getLoopFor(call->getParent()); loop; loop = loop->getParentLoop()) {
        loops.insert(loops.begin(), loop);
      }
      if (loops.empty()) {
        continue;
      }
      uint32_t& number = numbers[loops.front()];
      if (number == 0) {
        number = ++loops_seen;
      }
      llvm::IRBuilder<> builder(call);
      auto in_loop = module.getOrInsertFunction("cohort_wait_converged_in", builder.getInt32Ty(), builder.getInt32Ty(),
                                                builder.getInt64Ty());
      auto* numbered = builder.CreateCall(in_loop, {builder.getInt32(number), iteration_key(builder, loops, counters)});
      numbered->addFnAttr(llvm::Attribute::NoMerge);
      call->replaceAllUsesWith(numbered);
      call->eraseFromParent();
    }
  }
}

}  // namespace cohort
