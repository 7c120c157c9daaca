// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convergence/sites.hpp"

#include "analysis/port_calls.hpp"

#include <vector>

#include "lowering.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

const llvm::CallBase* direct_call(const llvm::User* user, const llvm::Function& callee) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(user);
  return call && call->getCalledFunction() == &callee ? call : nullptr;
}

}  // namespace

// Keeps LLVM from merging equal calls of two branches into one, which would join two points, by an attribute on the
// calls.
void keep_converged_sites(llvm::Module& module) {
  llvm::Function* converged = module.getFunction(name_of(port_call::cohort_wait_converged));
  if (!converged) {
    return;
  }
  llvm::SmallPtrSet<llvm::Function*, 16> seen{converged};
  std::vector<llvm::Function*> work{converged};
  while (!work.empty()) {
    llvm::Function* callee = work.back();
    work.pop_back();
    for (llvm::User* user : callee->users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != callee) {
        continue;
      }
      call->addFnAttr(llvm::Attribute::NoMerge);
      if (seen.insert(call->getFunction()).second) {
        work.push_back(call->getFunction());
      }
    }
  }
}

converging_sites::converging_sites(llvm::Module& module, const llvm::SmallPtrSetImpl<llvm::Function*>& entries)
    : converged_(module.getFunction(name_of(port_call::cohort_wait_converged))),
      indirect_(facts().options.relocatable),
      linked_(facts().options.relocatable) {
  if (converged_) {
    add_callers(*converged_, entries);
  }
  bool grows = true;
  while (grows) {  // a function with an indirect call may make its own callers reach a site
    grows = false;
    for (llvm::Function& function : module) {
      if (functions_.contains(&function) || entries.contains(&function)) {
        continue;
      }
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call && calls_beyond_module(*call)) {
          functions_.insert(&function);
          add_callers(function, entries);
          grows = true;
          break;
        }
      }
    }
  }
}

void converging_sites::add_callers(llvm::Function& callee, const llvm::SmallPtrSetImpl<llvm::Function*>& entries) {
  std::vector<llvm::Function*> work{&callee};
  while (!work.empty()) {
    llvm::Function* function = work.back();
    work.pop_back();
    for (const llvm::User* user : function->users()) {
      const llvm::CallBase* call = direct_call(user, *function);
      if (!call) {
        indirect_ = true;
      } else if (auto* caller = const_cast<llvm::Function*>(call->getFunction());
                 !entries.contains(caller) && functions_.insert(caller).second) {
        work.push_back(caller);
      }
    }
  }
}

bool converging_sites::calls_beyond_module(const llvm::CallBase& call) const {
  if (call.isInlineAsm()) {
    return false;
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) {
    return indirect_;
  }
  return linked_ && callee->isDeclaration() && callee->getName().ends_with(".device");
}

bool converging_sites::is_site(const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  return (callee && (callee == converged_ || functions_.contains(callee))) || calls_beyond_module(call);
}

}  // namespace cohort
