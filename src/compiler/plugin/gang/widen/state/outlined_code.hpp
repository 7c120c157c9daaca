// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code with branches stands in functions of its own until all values are widened, so that the kernel's blocks and its
// dominator trees stay as they are.
#pragma once

#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

class outlined_code {
 public:
  outlined_code(llvm::Function& kernel, llvm::IRBuilder<>& builder);

  // A function without a body.
  llvm::Function& make(llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments, const llvm::Twine& name);
  // A call at the builder's insertion point, which inline_all() replaces by the function's body.
  llvm::CallInst* call(llvm::Function& code, llvm::ArrayRef<llvm::Value*> arguments);
  // The newest call. inline_all() leaves it as it is.
  llvm::CallInst* take_newest();
  // Replaces a call of take_newest() by `made`, and inlines its function at its only other call, in the code of `made`.
  void replace(llvm::CallInst& taken, llvm::CallInst& made);
  // The inlined instruction has its own line, and not that of the call.
  void set_line(llvm::Instruction& instruction, const llvm::DebugLoc& line);
  void inline_all();

 private:
  llvm::Function& kernel_;
  llvm::IRBuilder<>& b_;
  const unsigned line_kind_;  // the kind of the metadata
  std::vector<llvm::CallInst*> calls_;
};

}  // namespace cohort
