// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/report_error.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {

void report_error(const llvm::Instruction& at, const llvm::Twine& message) {
  const llvm::Function& function = *at.getFunction();
  function.getContext().diagnose(llvm::DiagnosticInfoUnsupported(function, message, at.getDebugLoc()));
}

void report_error(llvm::Module& module, const llvm::Twine& message) {
  module.getContext().emitError("cohortcc: " + message);
}

void report_warning(const llvm::Function& function, const llvm::Twine& message) {
  function.getContext().diagnose(
      llvm::DiagnosticInfoUnsupported(function, message, function.getSubprogram(), llvm::DS_Warning));
}

}  // namespace cohort
