// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/frame.hpp"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr uint64_t callee_bytes = 8192;  // mathematical functions, and the engine below a wait

using value_set = llvm::DenseSet<const llvm::Value*>;

bool is_vector(const llvm::Value* value) {
  return llvm::isa<llvm::Instruction>(value) && value->getType()->isVectorTy();
}

// Vectors that are live at the end of `block`.
value_set live_out(const llvm::BasicBlock& block, const llvm::DenseMap<const llvm::BasicBlock*, value_set>& live_in) {
  value_set live;
  for (const llvm::BasicBlock* next : llvm::successors(&block)) {
    if (auto known = live_in.find(next); known != live_in.end()) {
      live.insert(known->second.begin(), known->second.end());
    }
    for (const llvm::PHINode& phi : next->phis()) {
      live.erase(&phi);
      const llvm::Value* incoming = phi.getIncomingValueForBlock(&block);
      if (is_vector(incoming)) {
        live.insert(incoming);
      }
    }
  }
  return live;
}

// Walks backwards from what is live at the end of `block` and raises `most` to the bytes that live at one point.
// Returns what is live at its start.
value_set walk(const llvm::BasicBlock& block, value_set live, const llvm::DataLayout& layout, uint64_t& most) {
  auto bytes_of = [&](const llvm::Value* value) { return layout.getTypeAllocSize(value->getType()).getFixedValue(); };
  uint64_t bytes = 0;
  for (const llvm::Value* value : live) {
    bytes += bytes_of(value);
  }
  most = std::max(most, bytes);
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    if (llvm::isa<llvm::PHINode>(instruction)) {
      continue;
    }
    if (live.erase(&instruction)) {
      bytes -= bytes_of(&instruction);
    }
    for (const llvm::Value* operand : instruction.operands()) {
      if (is_vector(operand) && live.insert(operand).second) {
        bytes += bytes_of(operand);
      }
    }
    most = std::max(most, bytes);
  }
  return live;
}

}  // namespace

uint64_t local_bytes(const llvm::Function& function) {
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      bytes += function.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
    }
  }
  return bytes;
}

uint64_t frame_bytes(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::DenseMap<const llvm::BasicBlock*, value_set> live_in;
  uint64_t most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : llvm::post_order(&function)) {
      value_set now = walk(*block, live_out(*block, live_in), layout, most);
      value_set& known = live_in[block];
      changed = changed || known.size() != now.size();
      known = std::move(now);
    }
  }
  return callee_bytes + 2 * most + local_bytes(function);
}

}  // namespace cohort
