// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowering.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cohort {

void register_stubs_first(llvm::Module& module) {
  auto* list = module.getGlobalVariable("llvm.global_ctors");
  if (!list || !list->hasInitializer()) {
    return;
  }
  std::vector<llvm::Constant*> constructors;
  for (const llvm::Use& operand : list->getInitializer()->operands()) {
    auto* constructor = llvm::cast<llvm::ConstantStruct>(operand);
    auto* const priority = constructor->getOperand(0);
    const bool registers = constructor->getOperand(1)->stripPointerCasts()->getName() == "__cuda_module_ctor";
    constructors.push_back(registers ? llvm::ConstantStruct::get(constructor->getType(),
                                                                 llvm::ConstantInt::get(priority->getType(), 0),
                                                                 constructor->getOperand(1), constructor->getOperand(2))
                                     : constructor);
  }
  auto* type = llvm::cast<llvm::ArrayType>(list->getValueType());
  list->setInitializer(llvm::ConstantArray::get(type, constructors));
}

void leave_stubs_uncounted(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.getName().contains("__device_stub__")) {
      function.addFnAttr(llvm::Attribute::NoProfile);
    }
  }
}

}  // namespace cohort
