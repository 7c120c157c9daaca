// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a kernel on its stack, after optimization: what cudaFuncGetAttributes returns as localSizeBytes, the
// stack that a launch must provide, and whether there is an array that a thread could overrun.
#include "analysis/port_calls.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "lowering.hpp"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace cohort {
namespace {

// A frame's saved registers and spilled values in optimized code.
constexpr uint64_t frame_overhead = 512;

uint64_t variable_bytes(const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    const auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (size && !size->isScalable()) {
      bytes = llvm::alignTo(bytes, variable->getAlign()) + size->getFixedValue();
    }
  }
  return llvm::alignTo(bytes, 8);
}

// Bytes of values that lie in memory: every value of an unoptimized function.
uint64_t spilled_bytes(const llvm::Function& function) {
  return function.hasOptNone() ? uint64_t{8} * function.getInstructionCount() : 0;
}

struct stack_need {
  uint64_t bytes = 0;       // need of the function and its known calls; a recursive call counts once
  bool has_memory = false;  // a pointer into the stack may exist
};

bool is_without_memory(const llvm::Function& declared) {
  return declared.isIntrinsic() || is_of_cohort(declared.getName()) || declared.doesNotAccessMemory();
}

class stack_needs {
 public:
  stack_need of(const llvm::Function& function) {
    auto [known, is_new] = known_.try_emplace(&function);
    if (!is_new) {
      return known->second;
    }
    stack_need need;
    uint64_t deepest = 0;
    for (const llvm::Argument& argument : function.args()) {
      need.has_memory |= argument.hasByValAttr();
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      need.has_memory |= llvm::isa<llvm::AllocaInst>(instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || call->isInlineAsm()) {
        continue;
      }
      const llvm::Function* callee = call->getCalledFunction();
      if (callee && !callee->isDeclaration()) {
        const stack_need below = of(*callee);
        deepest = std::max(deepest, below.bytes);
        need.has_memory |= below.has_memory;
      } else {
        need.has_memory |= !callee || !is_without_memory(*callee);
      }
    }
    need.bytes = frame_overhead + variable_bytes(function) + spilled_bytes(function) + deepest;
    return known_[&function] = need;
  }

 private:
  llvm::DenseMap<const llvm::Function*, stack_need> known_;
};

}  // namespace

void describe_frames(const std::vector<lowered_kernel>& kernels) {
  stack_needs needs;
  for (const lowered_kernel& lowered : kernels) {
    if (const llvm::Function* kernel = kernel_of(*lowered.thread_entry)) {
      set_local_bytes(*lowered.table, static_cast<uint32_t>(variable_bytes(*kernel)));
    }
    stack_need need;
    for (const llvm::Function* way : kernel_entries(*lowered.table)) {
      const stack_need of_way = needs.of(*way);
      need.bytes = std::max(need.bytes, of_way.bytes);
      need.has_memory |= of_way.has_memory;
    }
    set_stack_need(*lowered.table, static_cast<uint32_t>(std::min<uint64_t>(need.bytes, ~uint32_t{0})),
                   need.has_memory);
  }
}

}  // namespace cohort
