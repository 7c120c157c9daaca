// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc refuses a function or variable of the host where it generates device code that uses it. clang refuses it in
// overload resolution, hence also in unevaluated operands, discarded branches and functions that no kernel calls. A
// pass that meets such an error notes it in a file. The driver runs the failed pass again, in which clang takes
// functions and variables of the host. The pass fails where generated code uses one; the driver then prints the errors
// of the first pass.
#pragma once

#include <string>

#include "clang/Basic/Diagnostic.h"

namespace clang {
class ASTConsumer;
class CompilerInstance;
}  // namespace clang

namespace cohort {

class host_references {
 public:
  // A repeated pass finds the file `notes`. Nothing is recorded if the name is empty.
  host_references(clang::CompilerInstance& compiler, std::string notes);

  void note(const clang::Diagnostic& message);

  // True for a message, with its notes, that a repeated pass does not show: device code refers to a kernel. The
  // reference matters only where code is generated, because clang leaves out the statement.
  bool take(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message);

 private:
  std::string notes_;
  bool is_taken_ = false;  // the last message: its notes follow it
};

// True in a repeated pass, which accepts references to the host.
bool are_host_references_taken();

// Adds to the facts the functions that use host functions or variables, and the names of these. Called before code is
// generated.
void collect_host_references(clang::CompilerInstance& compiler);

}  // namespace cohort
