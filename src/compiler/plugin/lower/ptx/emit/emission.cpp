// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/emission.hpp"

#include "llvm/IR/Module.h"

namespace cohort::ptx {

emit_function function_of(const row& row) {
  static constexpr emit_function functions[] = {
#define SECTION(title, note)
#define REGISTER(name, types, emit)
#define ROW(pattern, types, operands, emit) emit,
#include "lower/ptx/isa/instructions.def"
  };
  return functions[row.index];
}

llvm::CallInst* call(builder& b, port_call function, llvm::ArrayRef<llvm::Value*> arguments) {
  auto* made = b.CreateCall(declare(*b.GetInsertBlock()->getModule(), function), arguments);
  if (may_suspend(function)) {
    made->setConvergent();
  }
  if (kind_of(function) == call_kind::wait) {  // COHORT_KEEPS_CALLER
    made->setTailCallKind(llvm::CallInst::TCK_NoTail);
  }
  return made;
}

llvm::CallInst* call(builder& b, ptx_call function, llvm::ArrayRef<llvm::Value*> arguments) {
  auto* made = b.CreateCall(declare(*b.GetInsertBlock()->getModule(), function), arguments);
  made->setConvergent();
  return made;
}

llvm::Value* is_set(emission& e, llvm::Value* word) { return e.b.CreateICmpNE(word, e.b.getInt32(0)); }

}  // namespace cohort::ptx
