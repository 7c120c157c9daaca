// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a kernel's entry, from which functions that run a whole block are made.
#pragma once

#include "lowering.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace cohort {

// The function that the entry of one thread calls with the arguments that it unpacks; null if the kernel's body was
// empty. Optimizations may have changed its signature.
const llvm::Function* kernel_of(const llvm::Function& thread_entry);

// Copies the entry of a kernel that runs one thread, with everything that it calls inlined. Null if that is recursive,
// or if the body grows too large. The copy may use the instructions of the kernel's CPU.
llvm::Function* copy_kernel(const lowered_kernel& kernel);

// Gives `function` a subprogram of its own if the kernel has one: a debugger shows the kernel as a function inlined
// into "k (block)".
void describe_block(llvm::Function& function, const llvm::Function& kernel, llvm::StringRef name);

// Prints a sentence about the kernel for --cohort-report. Of several CPUs it prints the one of the last CPU.
void remark(const llvm::Module& module, const lowered_kernel& kernel, const llvm::Twine& sentence);

}  // namespace cohort
