// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convergence/block_order.hpp"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

namespace cohort {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

// Orders the blocks of one loop, or of the whole function (no loop). A loop directly inside counts as one node, which
// its header represents.
class region_order {
 public:
  region_order(const llvm::LoopInfo& loops, const Loop* region) : loops_(loops), region_(region) {}

  void append_to(std::vector<BasicBlock*>& order, BasicBlock& start) {
    visit(start);
    std::reverse(finished_.begin(), finished_.end());
    for (BasicBlock* node : finished_) {
      const Loop* inner = loops_.getLoopFor(node);
      if (inner == region_) {
        order.push_back(node);
      } else {
        region_order(loops_, inner).append_to(order, *node);
      }
    }
  }

 private:
  // The node of the region that holds `block`; null outside of the region.
  BasicBlock* node_of(BasicBlock* block) const {
    const Loop* loop = loops_.getLoopFor(block);
    if (loop == region_) {
      return block;
    }
    while (loop && loop->getParentLoop() != region_) {
      loop = loop->getParentLoop();
    }
    return loop ? loop->getHeader() : nullptr;
  }

  std::vector<BasicBlock*> successors(BasicBlock* node) const {
    const Loop* inner = loops_.getLoopFor(node);
    if (inner == region_) {
      return {llvm::succ_begin(node), llvm::succ_end(node)};
    }
    llvm::SmallVector<BasicBlock*, 8> exits;
    inner->getExitBlocks(exits);
    return {exits.begin(), exits.end()};
  }

  // Depth-first search with a stack of its own: a function may have 100 000 blocks.
  void visit(BasicBlock& start) {
    struct position {
      BasicBlock* node;
      std::vector<BasicBlock*> successors;
      size_t next = 0;
    };
    std::vector<position> stack;
    auto enter = [&](BasicBlock* node) {
      if (node && seen_.insert(node).second) {
        stack.push_back({node, successors(node)});
      }
    };
    enter(&start);
    while (!stack.empty()) {
      position& top = stack.back();
      if (top.next == top.successors.size()) {
        finished_.push_back(top.node);
        stack.pop_back();
      } else {
        enter(node_of(top.successors[top.next++]));
      }
    }
  }

  const llvm::LoopInfo& loops_;
  const Loop* region_;
  llvm::DenseSet<BasicBlock*> seen_;
  std::vector<BasicBlock*> finished_;
};

}  // namespace

std::vector<BasicBlock*> converging_order(llvm::Function& function, const llvm::LoopInfo& loops) {
  std::vector<BasicBlock*> order;
  region_order(loops, nullptr).append_to(order, function.getEntryBlock());
  return order;
}

}  // namespace cohort
