// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class GlobalVariable;
}

namespace cohort {

// clang keeps the initial value of a local structure as a constant. A constant with the address of the __shared__
// variable becomes a local variable of each function that uses it, because the address differs between blocks.
void make_constants_local(llvm::GlobalVariable& shared);

}  // namespace cohort
