// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/shape/questions.hpp"

#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr const char* is_full_name = "cohort.gang.is.full";
constexpr const char* all_stay_name = "cohort.gang.all.stay";

}  // namespace

gang_question asked_by(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const llvm::StringRef name = callee ? callee->getName() : "";
  return name == is_full_name    ? gang_question::is_full
         : name == all_stay_name ? gang_question::all_stay
                                 : gang_question::none;
}

llvm::CallInst* ask(llvm::IRBuilder<>& builder, gang_question question, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  const llvm::SmallVector<llvm::Type*, 1> types(operands.size(), builder.getInt1Ty());
  auto* type = llvm::FunctionType::get(builder.getInt1Ty(), types, false);
  const char* name = question == gang_question::is_full ? is_full_name : all_stay_name;
  return builder.CreateCall(module->getOrInsertFunction(name, type), operands);
}

}  // namespace cohort
