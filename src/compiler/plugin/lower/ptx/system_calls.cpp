// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's system calls: functions of device code that no CUDA header declares, and that programs declare for themselves
// (CUDA: PTX Interoperability, "System Calls"). Declarations differ in the types of pointers, so that the name decides.
#include "lowering.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// __assertfail(message, file, line, function, character_bytes) ends the thread as assert() does. CUDA supports
// characters of one byte only.
void define_assertfail(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* number = llvm::Type::getInt32Ty(context);
  auto* nothing = llvm::Type::getVoidTy(context);
  llvm::Function* function = module.getFunction("__assertfail");
  auto* own = llvm::FunctionType::get(nothing, {pointer, pointer, number, pointer, llvm::Type::getInt64Ty(context)},
                                      /*isVarArg=*/false);
  if (!function || !function->isDeclaration() || function->getFunctionType() != own) {
    return;
  }
  auto* of_engine = llvm::FunctionType::get(nothing, {pointer, pointer, number, pointer}, /*isVarArg=*/false);
  const llvm::FunctionCallee fail = module.getOrInsertFunction("cohort_fail_assert", of_engine);
  // With -rdc=true each file that calls it has this body.
  function->setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  function->setSubprogram(nullptr);  // that of the declaration
  llvm::IRBuilder<> body(llvm::BasicBlock::Create(context, "", function));
  llvm::CallInst* call =
      body.CreateCall(fail, {function->getArg(0), function->getArg(1), function->getArg(2), function->getArg(3)});
  call->setDoesNotReturn();
  call->addFnAttr(llvm::Attribute::Cold);
  body.CreateUnreachable();
}

}  // namespace

void define_system_calls(llvm::Module& module) { define_assertfail(module); }

}  // namespace cohort
