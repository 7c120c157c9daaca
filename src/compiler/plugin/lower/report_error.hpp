// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Instruction;
class Module;
class Twine;
}  // namespace llvm

namespace cohort {

// Prints an error of the compiler, with the source line of `at`; the compilation fails.
void report_error(const llvm::Instruction& at, const llvm::Twine& message);
void report_error(llvm::Module& module, const llvm::Twine& message);
void report_warning(const llvm::Function& function, const llvm::Twine& message);

}  // namespace cohort
