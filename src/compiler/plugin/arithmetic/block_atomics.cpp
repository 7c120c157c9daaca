// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on shared memory. One worker runs all threads of a block and of its cluster, one at a time, and
// changes threads only where one waits. So these operations need no locked instruction, which costs about 20 cycles and
// keeps neighbouring accesses apart: a load, an operation and a store do the same.
#include "analysis/shared_addresses.hpp"
#include "lowering.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace cohort {
namespace {

constexpr uint64_t largest_access = 8;  // bytes that one instruction loads or stores at once

// A synchronization scope that marks operations: passes neither drop a scope nor merge operations of two scopes.
llvm::SyncScope::ID block_scope(const llvm::Module& module) {
  return module.getContext().getOrInsertSyncScopeID("cohort.block");
}

// Gives an atomic operation the scope of the block if its value, of type `type`, is in shared memory. A sequentially
// consistent operation keeps its scope, because it is also a fence for other memory.
template <class Atomic>
void mark(Atomic& atomic, llvm::Type* type, llvm::AtomicOrdering ordering) {
  const llvm::Module& module = *atomic.getModule();
  if (module.getDataLayout().getTypeStoreSize(type).getFixedValue() <= largest_access &&
      ordering != llvm::AtomicOrdering::SequentiallyConsistent && is_in_shared_memory(atomic.getPointerOperand())) {
    atomic.setSyncScopeID(block_scope(module));
  }
}

class plain_access {
 public:
  plain_access(llvm::Instruction& atomic, llvm::Value* address, llvm::Align align, bool is_volatile,
               llvm::AtomicOrdering ordering)
      : builder_(&atomic), address_(address), align_(align), is_volatile_(is_volatile), ordering_(ordering) {}

  llvm::IRBuilder<>& builder() { return builder_; }

  llvm::Value* load(llvm::Type* type) {
    auto* result = builder_.CreateAlignedLoad(type, address_, align_, is_volatile_);
    result->setAtomic(llvm::isAcquireOrStronger(ordering_) ? llvm::AtomicOrdering::Acquire
                                                           : llvm::AtomicOrdering::Monotonic);
    return result;
  }

  void store(llvm::Value* value) {
    auto* result = builder_.CreateAlignedStore(value, address_, align_, is_volatile_);
    result->setAtomic(llvm::isReleaseOrStronger(ordering_) ? llvm::AtomicOrdering::Release
                                                           : llvm::AtomicOrdering::Monotonic);
  }

 private:
  llvm::IRBuilder<> builder_;
  llvm::Value* address_;
  llvm::Align align_;
  bool is_volatile_;
  llvm::AtomicOrdering ordering_;
};

void lower(llvm::AtomicRMWInst& atomic) {
  plain_access access(atomic, atomic.getPointerOperand(), atomic.getAlign(), atomic.isVolatile(), atomic.getOrdering());
  llvm::Value* before = access.load(atomic.getType());
  access.store(llvm::buildAtomicRMWValue(atomic.getOperation(), access.builder(), before, atomic.getValOperand()));
  atomic.replaceAllUsesWith(before);
  atomic.eraseFromParent();
}

void lower(llvm::AtomicCmpXchgInst& atomic) {
  plain_access access(atomic, atomic.getPointerOperand(), atomic.getAlign(), atomic.isVolatile(),
                      atomic.getMergedOrdering());
  llvm::IRBuilder<>& builder = access.builder();
  llvm::Value* before = access.load(atomic.getCompareOperand()->getType());
  llvm::Value* equal = builder.CreateICmpEQ(before, atomic.getCompareOperand());
  access.store(builder.CreateSelect(equal, atomic.getNewValOperand(), before));
  llvm::Value* result = builder.CreateInsertValue(llvm::PoisonValue::get(atomic.getType()), before, 0);
  atomic.replaceAllUsesWith(builder.CreateInsertValue(result, equal, 1));
  atomic.eraseFromParent();
}

}  // namespace

void mark_block_atomics(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        mark(*operation, operation->getType(), operation->getOrdering());
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        mark(*exchange, exchange->getCompareOperand()->getType(), exchange->getMergedOrdering());
      }
    }
  }
}

void lower_block_atomics(llvm::Module& module) {
  const llvm::SyncScope::ID scope = block_scope(module);
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      if (operation && operation->getSyncScopeID() == scope) {
        lower(*operation);
      } else if (exchange && exchange->getSyncScopeID() == scope) {
        lower(*exchange);
      }
    }
  }
}

}  // namespace cohort
