// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/wait_calls.hpp"

#include "check/access_check.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/xxhash.h"

namespace cohort {

port_call wait_of(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const port_call called = call ? port_call_of(*call) : port_call::none;
  return may_suspend(called) ? called : port_call::none;
}

uint64_t number_of_call(const llvm::CallInst& call) {
  std::string text;
  for (const llvm::DILocation* place = call.getDebugLoc().get(); place; place = place->getInlinedAt()) {
    const llvm::DISubprogram* function = place->getScope()->getSubprogram();
    text += place->getFilename().str() + ":" + std::to_string(place->getLine()) + ":" +
            std::to_string(place->getColumn()) + "@" + function->getName().str() + function->getLinkageName().str() +
            "\n";
  }
  return text.empty() ? 0 : llvm::xxh3_64bits(text);
}

}  // namespace cohort
