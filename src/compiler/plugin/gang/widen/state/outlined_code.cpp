// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/outlined_code.hpp"

#include "analysis/source_place.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {

outlined_code::outlined_code(llvm::Function& kernel, llvm::IRBuilder<>& builder)
    : kernel_(kernel), b_(builder), line_kind_(kernel.getContext().getMDKindID("cohort.place")) {}

llvm::Function& outlined_code::make(llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                                    const llvm::Twine& name) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto* code = llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::GlobalValue::InternalLinkage,
                                      name, kernel_.getParent());
  code->copyAttributesFrom(&kernel_);
  llvm::LLVMContext& context = kernel_.getContext();
  code->setAttributes(llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex,
                                               llvm::AttrBuilder(context, kernel_.getAttributes().getFnAttrs())));
  code->removeFnAttr(llvm::Attribute::NoInline);
  code->setSubprogram(nullptr);
  return *code;
}

llvm::CallInst* outlined_code::call(llvm::Function& code, llvm::ArrayRef<llvm::Value*> arguments) {
  calls_.push_back(b_.CreateCall(&code, arguments));
  return calls_.back();
}

llvm::CallInst* outlined_code::take_newest() {
  llvm::CallInst* newest = calls_.back();
  calls_.pop_back();
  return newest;
}

void outlined_code::replace(llvm::CallInst& taken, llvm::CallInst& made) {
  llvm::Function* code = taken.getCalledFunction();
  taken.replaceAllUsesWith(&made);
  taken.eraseFromParent();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*llvm::cast<llvm::CallInst>(code->user_back()), info);
  code->eraseFromParent();
}

void outlined_code::set_line(llvm::Instruction& instruction, const llvm::DebugLoc& line) {
  instruction.setMetadata(line_kind_, line.get());
}

void outlined_code::inline_all() {
  for (llvm::CallInst* call : calls_) {
    llvm::Function* code = call->getCalledFunction();
    if (!call->getDebugLoc()) {
      call->setDebugLoc(start_of(kernel_));
    }
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    code->eraseFromParent();
  }
  for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
    if (auto* line = llvm::dyn_cast_or_null<llvm::DILocation>(instruction.getMetadata(line_kind_))) {
      instruction.setDebugLoc(line);
      instruction.setMetadata(line_kind_, nullptr);
    }
  }
}

}  // namespace cohort
