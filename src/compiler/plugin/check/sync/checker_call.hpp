// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

// Inserts a call of a function of the checker (src/check), at the source place of `near`; without a builder, before the
// instruction.
void call_checker(llvm::IRBuilder<>& builder, const llvm::Instruction& near, const char* name,
                  llvm::ArrayRef<llvm::Value*> arguments);
void call_checker(llvm::Instruction& instruction, const char* name, llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace cohort
