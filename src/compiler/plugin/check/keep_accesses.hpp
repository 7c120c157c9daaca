// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace cohort {

// Keeps accesses on their paths: none moves to a path that lacks it in the source. Runs in both passes before
// optimization, for --check.
void keep_accesses(llvm::Module& module);

}  // namespace cohort
