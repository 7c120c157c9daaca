// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that spins must yield: the threads of a worker take turns, and the loop ends by another thread's store. A
// loop that only tries to wait for a phase of an mbarrier becomes one wait, so that the engine finds a deadlock at
// once.
#include "analysis/port_calls.hpp"
#include "analysis/waiting.hpp"
#include "lowering.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Calls that do nothing, or nothing more, when they are repeated.
bool is_idempotent(port_call function) {
  return function == port_call::cohort_wait_sleep || function == port_call::cohort_wait_yield ||
         function == port_call::cohort_copy_commit || function == port_call::cohort_wait_copies;
}

bool reads(const llvm::LoadInst& load, const llvm::Value& word) {
  return !load.isVolatile() && load.getPointerOperand()->stripPointerCasts() == word.stripPointerCasts();
}

// The only wait for an mbarrier in the loop; null if there is none, or several.
llvm::CallInst* only_try(const llvm::Loop& loop) {
  llvm::CallInst* found = nullptr;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && port_call_of(*call) == port_call::cohort_wait_mbarrier) {
        if (found) {
          return nullptr;
        }
        found = call;
      }
    }
  }
  return found;
}

// True if the loop can only end when the phase is complete for which `wait` waits: no iteration leaves anything to the
// next one, and no iteration reads anything but the word.
bool ends_with_phase(const llvm::Loop& loop, const llvm::CallInst& wait) {
  const llvm::Value& word = *wait.getArgOperand(parameter_of(port_call::cohort_wait_mbarrier, "mbarrier"));
  if (!loop.isLoopInvariant(&word) || llvm::isa<llvm::PHINode>(loop.getHeader()->front())) {
    return false;
  }
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
      const bool is_harmless = &instruction == &wait || (load && reads(*load, word)) ||
                               (call && is_idempotent(port_call_of(*call))) ||
                               (fence && fence->getSyncScopeID() == llvm::SyncScope::SingleThread) ||
                               (!instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory());
      if (!is_harmless) {
        return false;
      }
    }
  }
  return true;
}

// Makes the loop one wait, if it is one.
bool wait_in_place_of(const llvm::Loop& loop) {
  llvm::CallInst* wait = only_try(loop);
  if (!wait || !ends_with_phase(loop, *wait)) {
    return false;
  }
  const unsigned forever = parameter_of(port_call::cohort_wait_mbarrier, "forever");
  wait->setArgOperand(forever, llvm::ConstantInt::get(wait->getArgOperand(forever)->getType(), 1));
  return true;
}

}  // namespace

void yield_in_spin_loops(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  wait_analysis waiting(analyses);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute("cohort-thread-loop")) {
      continue;
    }
    for (llvm::Loop* loop : waiting.spinning_loops(function)) {
      if (wait_in_place_of(*loop)) {
        continue;
      }
      llvm::SmallVector<llvm::BasicBlock*, 4> latches;
      loop->getLoopLatches(latches);
      for (llvm::BasicBlock* latch : latches) {
        llvm::IRBuilder<> builder(latch->getTerminator());
        auto* call = builder.CreateCall(declare(module, port_call::cohort_wait_yield));
        if (function.getSubprogram() && !call->getDebugLoc()) {
          call->setDebugLoc(llvm::DILocation::get(module.getContext(), 0, 0, function.getSubprogram()));
        }
      }
    }
  }
}

}  // namespace cohort
