// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates the device library's functions for inline PTX (device/ptx/) in sources that have inline PTX.
#pragma once

namespace clang {
class ASTContext;
class CompilerInstance;
}  // namespace clang

namespace cohort {

class ptx_functions {
 public:
  // Notes that the source has inline PTX.
  void need() { needed_ = true; }
  bool is_needed() const { return needed_; }
  // Emits the functions for inline PTX if need() was called. Runs at the end of a translation unit, before clang emits
  // it.
  void emit(clang::CompilerInstance& compiler, clang::ASTContext& context) const;

 private:
  bool needed_ = false;
};

}  // namespace cohort
