// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_threads() releases together the lanes that wait at one place of the program. LLVM may merge equal calls
// of two branches into one, which for these calls would make one place of two: such calls are marked.
#include "lowering.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {

void keep_converged_places(llvm::Module& module) {
  llvm::Function* converged = module.getFunction("cohort_wait_converged");
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

}  // namespace cohort
