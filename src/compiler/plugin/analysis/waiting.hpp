// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether code can wait for other threads: which loops spin on memory that other threads change, and whether a
// function can reach anything that suspends the calling thread.
#pragma once

#include <optional>
#include <string>

#include "analysis/port_calls.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Loop;
}  // namespace llvm

namespace cohort {

// True if `is_one` is true of a call in `function`.
bool any_call(llvm::Function& function, llvm::function_ref<bool(llvm::CallBase&)> is_one);

class wait_analysis {
 public:
  explicit wait_analysis(llvm::FunctionAnalysisManager& analyses) : analyses_(analyses) {}

  // Loops of `function` that may wait for other threads: their exit depends on a volatile or atomic access, or they
  // have no exit.
  llvm::SmallVector<llvm::Loop*, 4> spinning_loops(llvm::Function& function);

  // Why `function` may wait, or cannot be proved not to; empty if it cannot wait.
  std::optional<std::string> why_it_may_wait(llvm::Function& function);

 private:
  bool touches_shared_state(const llvm::Function& function);  // volatile or atomic access, also in callees
  bool spins(llvm::Loop& loop);
  std::optional<std::string> visit(llvm::Function& function, llvm::SmallVectorImpl<llvm::Function*>& path);
  std::optional<std::string> judge_call(llvm::CallBase& call, llvm::SmallVectorImpl<llvm::Function*>& path);

  llvm::FunctionAnalysisManager& analyses_;
  llvm::DenseMap<const llvm::Function*, bool> touching_;
  llvm::DenseMap<const llvm::Function*, bool> harmless_;
};

}  // namespace cohort
