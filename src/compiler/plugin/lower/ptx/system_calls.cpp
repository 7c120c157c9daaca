// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of device code that fail an assertion, and that programs declare for themselves. __assertfail is one of
// CUDA's system calls (CUDA: PTX Interoperability, "System Calls"); __assert_fail is the C library's. Declarations
// differ in the types of pointers, so that the name decides.
#include "analysis/port_calls.hpp"
#include "lowering.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Defines `name`(message, file, line, function, `more`...), which ends the thread as assert() does.
void define_failure(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Type*> more) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Function* function = module.getFunction(name);
  if (!function || !function->isDeclaration()) {
    return;
  }
  llvm::FunctionCallee fail = declare(module, port_call::cohort_fail_assert);
  llvm::SmallVector<llvm::Type*> parameters(fail.getFunctionType()->params());
  parameters.append(more.begin(), more.end());
  if (function->getFunctionType() !=
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, /*isVarArg=*/false)) {
    return;
  }
  // With -rdc=true each file that calls it has this body.
  function->setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  function->setSubprogram(nullptr);  // removes the declaration's subprogram
  llvm::IRBuilder<> body(llvm::BasicBlock::Create(context, "", function));
  llvm::CallInst* call =
      body.CreateCall(fail, {function->getArg(0), function->getArg(1), function->getArg(2), function->getArg(3)});
  call->setDoesNotReturn();
  call->addFnAttr(llvm::Attribute::Cold);
  body.CreateUnreachable();
}

}  // namespace

void define_system_calls(llvm::Module& module) {
  define_failure(module, "__assert_fail", {});
  // The last argument is the size of a character, of which CUDA supports one byte only.
  define_failure(module, "__assertfail", llvm::Type::getInt64Ty(module.getContext()));
}

}  // namespace cohort
