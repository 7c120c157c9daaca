// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings a kernel into the control flow that the gang compiler widens: loops with one latch that is their only exit,
// branches that skip one region, one return.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// False if the function has control flow that has no such form.
// @pre All calls of functions that are defined here are inlined.
bool structure(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace cohort
