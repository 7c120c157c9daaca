// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/function_target.hpp"

#include <string>

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace cohort {

vector_target target_of(const llvm::Function& function) {
  const llvm::Triple triple(function.getParent()->getTargetTriple());
  return vector_target_for(llvm::Triple::getArchTypeName(triple.getArch()),
                           function.getFnAttribute("target-features").getValueAsString());
}

void state_vector_bits(llvm::Function& function) {
  if (const unsigned bits = target_of(function).stated_vector_bits) {
    function.addFnAttr("min-legal-vector-width", std::to_string(bits));
    function.addFnAttr("prefer-vector-width", std::to_string(bits));
  }
}

}  // namespace cohort
