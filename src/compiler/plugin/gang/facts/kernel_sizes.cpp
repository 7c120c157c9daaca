// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/kernel_sizes.hpp"

#include <map>

#include "analysis/port_calls.hpp"
#include "gang/facts/cost.hpp"
#include "math/wide_math.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

// Instructions that take as long as a thread's wait on a stack of its own.
constexpr double work_of_wait = 100;
// Instructions that take as long as a scalar call of a mathematical function that has a form for vectors.
constexpr double work_of_function = 40;

double work_of(llvm::CallBase* call) {
  if (!call) {
    return 1;
  }
  if (is_gang_wait(port_call_of(*call))) {
    return work_of_wait;
  }
  const llvm::Function* callee = call->getCalledFunction();
  return callee && wide_form_of(*callee, 64, *call->getFunction()) ? work_of_function : 1;
}

class size_counter {
 public:
  explicit size_counter(llvm::FunctionAnalysisManager& functions) : functions_(functions) {}

  // Counts a function as often as it is called. One that calls itself adds nothing: such kernels have no gangs.
  const kernel_size& size_of(llvm::Function& function) {
    const auto [entry, is_new] = known_.try_emplace(&function);
    if (is_new) {
      kernel_size size;
      const llvm::LoopInfo& loops = functions_.getResult<llvm::LoopAnalysis>(function);
      for (llvm::BasicBlock& block : function) {
        const double weight = loop_weight(loops, block);
        for (llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
          add(instruction, weight, size);
        }
      }
      entry->second = size;
    }
    return entry->second;
  }

 private:
  void add(llvm::Instruction& instruction, double weight, kernel_size& size) {
    ++size.instructions;
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) {
      const kernel_size& called = size_of(*callee);
      size.instructions += called.instructions;
      size.work += weight * called.work;
    } else {
      size.work += weight * work_of(call);
    }
  }

  llvm::FunctionAnalysisManager& functions_;
  std::map<const llvm::Function*, kernel_size> known_;
};

}  // namespace

std::vector<kernel_size> kernel_sizes(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting,
                                      llvm::FunctionAnalysisManager& functions) {
  size_counter counter(functions);
  std::vector<kernel_size> sizes;
  for (const lowered_kernel& kernel : kernels) {
    if (!kernel.cpu) {
      sizes.push_back(counter.size_of(*kernel.thread_entry));
      sizes.back().waits = waiting.why_it_may_wait(*kernel.thread_entry).has_value();
    }
  }
  return sizes;
}

}  // namespace cohort
