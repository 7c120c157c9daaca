// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer moves loads to the front of a loop, and merges stores in two arms of a condition. These have
// no line, and a report could not name them.
#include "check/instrument_accesses.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

bool has_line(const llvm::Instruction& instruction) {
  return instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0;
}

// The place of the nearest instruction with a line, from `first` on along `neighbors`. Empty if there is none.
template <class Neighbors>
llvm::DebugLoc nearest_place(llvm::Instruction& first, const Neighbors& neighbors) {
  llvm::SmallSetVector<llvm::Instruction*, 16> reached;
  reached.insert(&first);
  for (size_t i = 0; i < reached.size(); ++i) {
    for (llvm::Value* value : neighbors(*reached[i])) {
      auto* const next = llvm::dyn_cast<llvm::Instruction>(value);
      if (next && has_line(*next)) {
        return next->getDebugLoc();
      }
      if (next) {
        reached.insert(next);
      }
    }
  }
  return {};
}

// The place of a user of the load, which is a part of the same expression, or near it.
llvm::DebugLoc place_of_user(llvm::Instruction& load) {
  return nearest_place(load, [](llvm::Instruction& each) { return each.users(); });
}

// The place of an operand. Phi nodes are not followed: their operands have lines of one arm only.
llvm::DebugLoc place_of_operand(llvm::Instruction& store) {
  return nearest_place(store, [](llvm::Instruction& each) {
    return llvm::isa<llvm::PHINode>(each) ? llvm::User::op_range(each.op_end(), each.op_end()) : each.operands();
  });
}

// The place of the branch to the store, or to the arms that it was in.
llvm::DebugLoc place_of_branch(llvm::Instruction& store, const llvm::DominatorTree& dominators) {
  const auto* node = dominators.getNode(store.getParent());
  while (node && (node = node->getIDom())) {
    if (has_line(*node->getBlock()->getTerminator())) {
      return node->getBlock()->getTerminator()->getDebugLoc();
    }
  }
  return {};
}

}  // namespace

void give_accesses_lines(llvm::Function& function, const llvm::DominatorTree& dominators) {
  for (llvm::Instruction& access : llvm::instructions(function)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access) || has_line(access)) {
      continue;
    }
    llvm::DebugLoc place = place_of_user(access);
    if (!place) {
      place = place_of_operand(access);
    }
    if (!place) {
      place = place_of_branch(access, dominators);
    }
    if (place) {
      access.setDebugLoc(place);
    }
  }
}

}  // namespace cohort
