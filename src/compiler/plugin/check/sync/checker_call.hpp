// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace cohort {

// Inserts a call of a function of the checker (src/check) before `instruction`, at its source place.
void call_checker(llvm::Instruction& instruction, const char* name, llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace cohort
