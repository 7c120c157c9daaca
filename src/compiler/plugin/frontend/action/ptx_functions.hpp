// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates the device library's functions for inline PTX (device/ptx/) in sources that have inline PTX.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class FunctionTemplateDecl;
}  // namespace clang

namespace cohort {

class ptx_functions {
 public:
  // Records `function` if it is one of the functions for inline PTX.
  void add(clang::FunctionTemplateDecl& function);
  // Notes that the source has inline PTX.
  void need() { needed_ = true; }
  // Emits the recorded functions if need() was called. Runs at the end of a translation unit, before clang emits it.
  void emit(clang::CompilerInstance& compiler, clang::ASTContext& context);

 private:
  llvm::SmallVector<clang::FunctionTemplateDecl*, 32> functions_;
  bool needed_ = false;
};

}  // namespace cohort
