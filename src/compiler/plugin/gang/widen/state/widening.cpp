// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/widening.hpp"

#include "analysis/source_place.hpp"

#include "llvm/ADT/PostOrderIterator.h"

namespace cohort {
namespace {

std::vector<llvm::BasicBlock*> reverse_post_order(llvm::Function& function) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  return {order.begin(), order.end()};
}

}  // namespace

widening::widening(llvm::Function& kernel, const gang_lanes& kernel_lanes, const shape_analysis& kernel_shapes,
                   llvm::LoopInfo& kernel_loops, llvm::DominatorTree& dominator_tree,
                   llvm::PostDominatorTree& postdominator_tree)
    : function(kernel),
      context(kernel.getContext()),
      layout(kernel.getDataLayout()),
      lanes(kernel_lanes),
      shapes(kernel_shapes),
      loops(kernel_loops),
      dominators(dominator_tree),
      postdominators(postdominator_tree),
      order(reverse_post_order(kernel)),
      b(context),
      types(kernel, shapes.width()),
      branches(shapes, loops, postdominators),
      values(b, shapes, types),
      masks(b, types),
      outlined(kernel, b) {}

bool widening::refuse(const llvm::Twine& reason, const llvm::Instruction* where) {
  refusal = reason.str() + source_place(where ? where->getDebugLoc() : llvm::DebugLoc());
  return false;
}

bool widening::refuse_type(const llvm::Instruction* where) {
  return refuse(llvm::Twine("a value has a type without lanes: ") + where->getOpcodeName(), where);
}

}  // namespace cohort
