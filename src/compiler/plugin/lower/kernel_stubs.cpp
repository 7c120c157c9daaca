// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../lowering.hpp"

#include "llvm/IR/Module.h"

namespace cohort {

void leave_stubs_uncounted(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.getName().contains("__device_stub__")) {
      function.addFnAttr(llvm::Attribute::NoProfile);
    }
  }
}

}  // namespace cohort
