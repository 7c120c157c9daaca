// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions and variables that a function can reach in a module: by direct calls, and through functions whose
// address is taken.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class GlobalValue;
class Module;
}  // namespace llvm

namespace cohort {

struct reachable_set {
  llvm::DenseSet<const llvm::GlobalValue*> globals;  // functions and variables
  bool open = false;                                 // may also reach code of other files
};

class call_graph {
 public:
  explicit call_graph(const llvm::Module& module);

  reachable_set reachable_from(const llvm::Function& function) const;
  // All that code of other files can reach in this module: everything except what only `kernels` reach.
  reachable_set reachable_from_other_files(const std::vector<llvm::Function*>& kernels) const;

 private:
  struct node {
    llvm::SetVector<const llvm::GlobalValue*> references;
    bool calls_indirectly = false;
  };
  void visit(const llvm::GlobalValue* start, reachable_set& result) const;

  const llvm::Module& module_;
  llvm::DenseMap<const llvm::GlobalValue*, node> nodes_;
  llvm::SetVector<const llvm::GlobalValue*> address_taken_;
};

}  // namespace cohort
