// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of device code that fail an assertion, and that programs declare for themselves. __assertfail is one of
// CUDA's system calls (CUDA: PTX Interoperability, "System Calls"); __assert_fail is the C library's. Declarations
// differ in the types of pointers, so that the name decides.
#include "lowering.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Defines `name`(message, file, line, function, `more`...), which ends the thread as assert() does.
void define_failure(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Type*> more) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* nothing = llvm::Type::getVoidTy(context);
  llvm::SmallVector<llvm::Type*> parameters = {pointer, pointer, llvm::Type::getInt32Ty(context), pointer};
  auto* of_engine = llvm::FunctionType::get(nothing, parameters, /*isVarArg=*/false);
  parameters.append(more.begin(), more.end());
  llvm::Function* function = module.getFunction(name);
  if (!function || !function->isDeclaration() ||
      function->getFunctionType() != llvm::FunctionType::get(nothing, parameters, /*isVarArg=*/false)) {
    return;
  }
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

void define_system_calls(llvm::Module& module) {
  define_failure(module, "__assert_fail", {});
  // The last argument is the size of a character, of which CUDA supports one byte only.
  define_failure(module, "__assertfail", llvm::Type::getInt64Ty(module.getContext()));
}

}  // namespace cohort
