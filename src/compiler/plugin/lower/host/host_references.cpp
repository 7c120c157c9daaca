// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends a pass that takes functions of the host in device code (frontend/nvcc/host_references.hpp) if generated code
// uses one.
#include "lowering.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace cohort {

void refuse_host_references(llvm::Module& module) {
  if (facts().host_users.empty() && facts().host_symbols.empty()) {
    return;
  }
  for (const llvm::GlobalValue& value : module.global_values()) {
    const std::string name = value.getName().str();
    const bool is_user = !value.isDeclaration() && facts().host_users.count(name);
    const bool is_used = value.isDeclaration() && !value.use_empty() && facts().host_symbols.count(name);
    if (is_user || is_used) {
      module.getContext().emitError("device code refers to the host in '" + value.getName() + "'");
      return;
    }
  }
}

}  // namespace cohort
