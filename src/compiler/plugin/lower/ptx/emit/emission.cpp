// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/emission.hpp"

#include "llvm/IR/Module.h"

namespace cohort::ptx {

emit_function function_of(const row& row) {
  static constexpr emit_function functions[] = {
#define SECTION(title, note)
#define REGISTER(name, emit)
#define ROW(pattern, types, operands, emit) emit,
#include "lower/ptx/isa/instructions.def"
  };
  return functions[row.index];
}

llvm::CallInst* call(builder& b, llvm::StringRef function, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  auto callee = module.getOrInsertFunction(function, llvm::FunctionType::get(result, types, false));
  auto* made = b.CreateCall(callee, arguments);
  if (function.starts_with("cohort_wait_") || function.starts_with("cohort_ptx_")) {
    made->setConvergent();
  }
  return made;
}

}  // namespace cohort::ptx
