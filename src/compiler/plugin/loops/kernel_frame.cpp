// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a thread's variables in memory, which cudaFuncGetAttributes returns as localSizeBytes: those of the
// kernel and of what was inlined into it, after optimization.
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "lowering.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace cohort {
namespace {

uint64_t frame_bytes(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    const auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (size && !size->isScalable()) {
      bytes = llvm::alignTo(bytes, variable->getAlign()) + size->getFixedValue();
    }
  }
  return llvm::alignTo(bytes, 8);
}

}  // namespace

void describe_frames(const std::vector<lowered_kernel>& kernels) {
  for (const lowered_kernel& lowered : kernels) {
    auto* table = llvm::dyn_cast_or_null<llvm::GlobalVariable>(lowered.table);
    const auto* entry = llvm::dyn_cast_or_null<llvm::Function>(lowered.thread_entry);
    if (const llvm::Function* kernel = table && entry ? kernel_of(*entry) : nullptr) {
      set_local_bytes(*table, static_cast<uint32_t>(frame_bytes(*kernel)));
    }
  }
}

}  // namespace cohort
