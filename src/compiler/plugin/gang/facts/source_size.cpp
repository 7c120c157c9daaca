// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/source_size.hpp"

#include <map>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

constexpr uint64_t largest_source = 4000;  // instructions of all kernels that wait, each with what it calls

// Counts a function as often as it is called. One that calls itself adds nothing: such kernels have no gangs.
uint64_t size_with_callees(const llvm::Function& function, std::map<const llvm::Function*, uint64_t>& known) {
  if (const auto [entry, is_new] = known.try_emplace(&function, 0); !is_new) {
    return entry->second;
  }
  uint64_t size = function.getInstructionCount();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration()) {
      size += size_with_callees(*call->getCalledFunction(), known);
    }
  }
  return known[&function] = size;
}

}  // namespace

bool has_room_for_several_warps(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting) {
  std::map<const llvm::Function*, uint64_t> known;
  uint64_t size = 0;
  for (const lowered_kernel& kernel : kernels) {
    if (!kernel.cpu && waiting.why_it_may_wait(*kernel.thread_entry)) {
      size += size_with_callees(*kernel.thread_entry, known);
    }
  }
  return size <= largest_source || facts().options.all_widths;
}

}  // namespace cohort
