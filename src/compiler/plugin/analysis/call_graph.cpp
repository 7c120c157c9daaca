// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/call_graph.hpp"

#include "facts/source_facts.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

void collect(const llvm::Value* value, llvm::SetVector<const llvm::GlobalValue*>& result,
             llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !seen.insert(constant).second) {
    return;
  }
  if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    result.insert(global);
    return;
  }
  for (const llvm::Use& operand : constant->operands()) {
    collect(operand.get(), result, seen);
  }
}

}  // namespace

call_graph::call_graph(const llvm::Module& module) : module_(module) {
  for (const llvm::Function& function : module) {
    node& mine = nodes_[&function];
    llvm::SmallPtrSet<const llvm::Value*, 32> seen;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->isIndirectCall()) {
        mine.calls_indirectly = true;
      }
      for (const llvm::Use& operand : instruction.operands()) {
        collect(operand.get(), mine.references, seen);
        if (!call || !call->isCallee(&operand)) {
          llvm::SmallPtrSet<const llvm::Value*, 8> own;
          llvm::SetVector<const llvm::GlobalValue*> taken;
          collect(operand.get(), taken, own);
          for (auto* global : taken) {
            if (llvm::isa<llvm::Function>(global)) {
              address_taken_.insert(global);
            }
          }
        }
      }
    }
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.hasInitializer() && !variable.getName().starts_with("llvm.")) {
      llvm::SmallPtrSet<const llvm::Value*, 32> seen;
      node& mine = nodes_[&variable];
      collect(variable.getInitializer(), mine.references, seen);
      for (auto* global : mine.references) {
        if (llvm::isa<llvm::Function>(global)) {
          address_taken_.insert(global);
        }
      }
    }
  }
  for (const llvm::GlobalAlias& alias : module.aliases()) {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    collect(alias.getAliasee(), nodes_[&alias].references, seen);
  }
}

void call_graph::visit(const llvm::GlobalValue* start, reachable_set& result) const {
  std::vector<const llvm::GlobalValue*> work{start};
  auto push_indirect_targets = [&, done = false]() mutable {
    if (!done) {
      done = true;
      work.insert(work.end(), address_taken_.begin(), address_taken_.end());
    }
  };
  while (!work.empty()) {
    const auto* global = work.back();
    work.pop_back();
    if (!result.globals.insert(global).second) {
      continue;
    }
    if (global->isDeclaration() && facts().undefined_device.count(global->getName().str())) {
      result.open = true;  // the body may call any function whose address is taken
      push_indirect_targets();
    }
    auto found = nodes_.find(global);
    if (found == nodes_.end()) {
      continue;
    }
    if (found->second.calls_indirectly) {
      result.open = true;
      push_indirect_targets();
    }
    work.insert(work.end(), found->second.references.begin(), found->second.references.end());
  }
}

reachable_set call_graph::reachable_from(const llvm::Function& function) const {
  reachable_set result;
  visit(&function, result);
  return result;
}

reachable_set call_graph::reachable_from_other_files(const std::vector<llvm::Function*>& kernels) const {
  const llvm::SmallPtrSet<const llvm::Function*, 16> only_launched(kernels.begin(), kernels.end());
  reachable_set result;
  for (const llvm::Function& function : module_) {
    if (!function.isDeclaration() && !only_launched.contains(&function) &&
        !facts().local_functions.count(function.getName().str())) {
      visit(&function, result);
    }
  }
  for (const auto* function : address_taken_) {
    visit(function, result);
  }
  return result;
}

}  // namespace cohort
