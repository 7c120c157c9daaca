// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that decide which lanes converge: those of cohort_wait_converged, and those of functions that reach one.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
class Module;
}  // namespace llvm

namespace cohort {

class converging_sites {
 public:
  // Finds the sites of a module. `entries`: functions whose address only the kernel table holds.
  converging_sites(llvm::Module& module, const llvm::SmallPtrSetImpl<llvm::Function*>& entries);

  // True if the function has a site.
  bool contains(const llvm::Function& function) const { return functions_.contains(&function); }
  bool is_site(const llvm::CallBase& call) const;

 private:
  void add_callers(llvm::Function& callee, const llvm::SmallPtrSetImpl<llvm::Function*>& entries);
  bool calls_beyond_module(const llvm::CallBase& call) const;

  llvm::Function* converged_;
  llvm::SmallPtrSet<const llvm::Function*, 16> functions_;
  bool indirect_ = false;  // calls through pointers may reach a site
  bool linked_ = false;    // calls of functions that other files define may reach a site
};

}  // namespace cohort
