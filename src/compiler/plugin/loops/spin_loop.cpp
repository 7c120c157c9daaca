// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that spins must yield: the threads of a worker take turns, and the loop ends by another thread's store.
#include "analysis/port_calls.hpp"
#include "analysis/waiting.hpp"
#include "lowering.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {

void yield_in_spin_loops(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  wait_analysis waiting(analyses);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute("cohort-thread-loop")) {
      continue;
    }
    for (llvm::Loop* loop : waiting.spinning_loops(function)) {
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
