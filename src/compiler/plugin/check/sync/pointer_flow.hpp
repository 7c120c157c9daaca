// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where device code loads a pointer from memory to access its target. The flow of values is followed through
// arithmetic, local variables, calls and returns, and regardless of the order of instructions.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

class pointer_flow {
 public:
  explicit pointer_flow(llvm::Module& module);

  // Whether the address is a local variable of one value, which is loaded and stored as a whole and by this function
  // only.
  static bool is_slot(const llvm::Value* address);

  // Instructions that load a pointer from memory, if code then dereferences or stores it.
  llvm::ArrayRef<llvm::Instruction*> takes() const { return takes_; }
  // Stores, exchanges and compare-and-exchanges whose value may be a pointer.
  llvm::ArrayRef<llvm::Instruction*> keeps() const { return keeps_; }

  struct pointer_use {
    llvm::Instruction* access;
    llvm::Value* pointer;  // pointer before constant and variable offsets were added
  };
  // Accesses through pointers that may come from memory.
  llvm::ArrayRef<pointer_use> uses() const { return uses_; }

 private:
  llvm::SmallVector<llvm::Instruction*, 32> takes_, keeps_;
  llvm::SmallVector<pointer_use, 32> uses_;
};

// The value that a store, exchange or compare-and-exchange writes; null for other instructions.
llvm::Value* written_value(llvm::Instruction& instruction);
// The address of an instruction that accesses one value; null for other instructions.
llvm::Value* accessed_address(llvm::Instruction& instruction);

}  // namespace cohort
