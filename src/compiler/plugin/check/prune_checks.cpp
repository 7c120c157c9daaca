// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check covers later ones of the same thread at the same address until the thread synchronises: no other thread's
// access can be ordered with one and not with the other. A check of a write covers reads, too. The opposite does not
// hold: reads race with fewer accesses.
#include "check/instrument_accesses.hpp"

#include <utility>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "check/access_check.hpp"

namespace cohort {
namespace {

// A forward data-flow analysis: the checks that ran on all paths since a synchronisation. Equal checks share a bit. An
// address that is computed again in a loop cannot be available at the loop's begin, so no bit outlives its address.
class available_checks {
 public:
  explicit available_checks(llvm::Function& function) : function_(function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto check = find_check(instruction)) {
        bit_of(*check, false);
        bit_of(*check, true);
      }
    }
    solve();
  }

  // The checks that earlier checks cover on all paths.
  llvm::SmallVector<llvm::CallInst*, 16> covered() {
    llvm::SmallVector<llvm::CallInst*, 16> result;
    for (llvm::BasicBlock& block : function_) {
      llvm::BitVector now = at_begin(block);
      for (llvm::Instruction& instruction : block) {
        const auto check = find_check(instruction);
        if (check && now.test(bit_of(*check, check->writes))) {
          result.push_back(check->call);
        }
        step(instruction, now);
      }
    }
    return result;
  }

 private:
  unsigned bit_of(const access_check& check, bool writes) {
    return bits_.try_emplace({check.address, check.bytes * 2 + (writes ? 1 : 0)}, bits_.size()).first->second;
  }

  void step(llvm::Instruction& instruction, llvm::BitVector& now) {
    if (const auto check = find_check(instruction)) {
      now.set(bit_of(*check, false));
      if (check->writes) {
        now.set(bit_of(*check, true));
      }
    } else if (may_synchronise(instruction)) {
      now.reset();
    }
  }

  llvm::BitVector at_begin(llvm::BasicBlock& block) {
    llvm::BitVector now(bits_.size(), !block.isEntryBlock());
    for (llvm::BasicBlock* before : llvm::predecessors(&block)) {
      if (const auto found = at_end_.find(before); found != at_end_.end()) {
        now &= found->second;
      }
    }
    return now;
  }

  void solve() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (bool changed = !bits_.empty(); changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order) {
        llvm::BitVector now = at_begin(*block);
        for (llvm::Instruction& instruction : *block) {
          step(instruction, now);
        }
        const auto [found, is_new] = at_end_.try_emplace(block, now);
        changed = changed || is_new || found->second != now;
        found->second = std::move(now);
      }
    }
  }

  llvm::Function& function_;
  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, unsigned> bits_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BitVector> at_end_;
};

// A loop that cannot synchronise, with the checks of each iteration at addresses that it does not change.
using repeated_checks = llvm::MapVector<llvm::Loop*, llvm::SmallVector<llvm::CallInst*, 4>>;

repeated_checks find_repeated(llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  repeated_checks result;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost()) {
      llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    }
    llvm::BasicBlock* const latch = loop->getLoopLatch();
    if (!loop->isInnermost() || !latch || !loop->getLoopPreheader()) {
      continue;
    }
    llvm::SmallVector<llvm::CallInst*, 4> found;
    bool synchronises = false;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : *block) {
        synchronises = synchronises || may_synchronise(instruction);
        const auto check = find_check(instruction);
        if (check && loop->isLoopInvariant(check->address) && dominators.dominates(block, latch)) {
          found.push_back(check->call);
        }
      }
    }
    if (!synchronises && !found.empty()) {
      result.insert({loop, found});
    }
  }
  return result;
}

// Puts the checks under a condition that holds in the first iteration only. They stay at their places, so their order
// with other checks of that iteration is the source's.
void keep_in_first_iteration(const repeated_checks& repeated) {
  for (const auto& [loop, checks] : repeated) {
    llvm::IRBuilder<> builder(&loop->getHeader()->front());
    llvm::PHINode* const is_first = builder.CreatePHI(builder.getInt1Ty(), 2, "cohort.first");
    is_first->addIncoming(builder.getTrue(), loop->getLoopPreheader());
    is_first->addIncoming(builder.getFalse(), loop->getLoopLatch());
  }
  for (const auto& [loop, checks] : repeated) {
    auto* const is_first = llvm::cast<llvm::PHINode>(&loop->getHeader()->front());
    for (llvm::CallInst* check : checks) {
      llvm::Instruction* const end = llvm::SplitBlockAndInsertIfThen(is_first, check->getIterator(), false);
      check->moveBefore(end);
    }
  }
}

}  // namespace

void prune_checks(llvm::Function& function) {
  for (llvm::CallInst* check : available_checks(function).covered()) {
    check->eraseFromParent();
  }
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  keep_in_first_iteration(find_repeated(dominators, loops));
}

}  // namespace cohort
