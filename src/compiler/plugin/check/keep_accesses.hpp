// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace cohort {

// Both passes, before optimization, for --check: no access moves to a path that the source does not have it on.
void keep_accesses(llvm::Module& module);

}  // namespace cohort
