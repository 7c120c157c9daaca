// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX: exit ends the calling thread, at any depth of calls. Functions that execute it are inlined into their kernels,
// where it becomes a return.
#include "lowering.hpp"
#include "names.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cohort {
namespace {

constexpr const char* ends_thread = "cohort-ends-thread";  // a return from this function ends the thread

llvm::SmallVector<llvm::CallInst*> calls_of(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call && call->getCalledFunction() == &function) {
      calls.push_back(call);
    }
  }
  return calls;
}

}  // namespace

void prepare_exits(llvm::Module& module) {
  llvm::SetVector<llvm::Function*> functions;
  if (llvm::Function* exits = module.getFunction(names::exit_thread)) {
    functions.insert(exits);
  }
  for (size_t i = 0; i < functions.size(); ++i) {
    for (llvm::CallInst* call : calls_of(*functions[i])) {
      llvm::Function* caller = call->getFunction();
      if (facts().kernels.count(caller->getName().str()) != 0) {
        caller->addFnAttr(ends_thread);
      } else if (functions.insert(caller)) {
        caller->removeFnAttr(llvm::Attribute::NoInline);
        caller->removeFnAttr(llvm::Attribute::OptimizeNone);
        caller->addFnAttr(llvm::Attribute::AlwaysInline);
      }
    }
  }
}

void lower_exits(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  llvm::Function* exits = module.getFunction(names::exit_thread);
  if (!exits) {
    return;
  }
  for (llvm::CallInst* call : calls_of(*exits)) {
    llvm::Function* function = call->getFunction();
    if (!function->hasFnAttribute(ends_thread)) {
      if (!function->use_empty()) {
        module.getContext().emitError(call,
                                      "cohortcc cannot run the inline PTX 'exit' in a function that is recursive, "
                                      "variadic or called through a pointer");
      }
      llvm::changeToUnreachable(call);
      continue;
    }
    llvm::BasicBlock* block = call->getParent();
    llvm::SplitBlock(block, call);
    llvm::ReplaceInstWithInst(block->getTerminator(), llvm::ReturnInst::Create(module.getContext()));
    llvm::removeUnreachableBlocks(*function);  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): blocks own them
    analyses.invalidate(*function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
