// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that LLVM's ThreadSanitizer pass inserts, as later passes find them.
#pragma once

#include <optional>

#include "llvm/IR/Instructions.h"

namespace cohort {

// A check of an ordinary access: a call of __tsan_read4(address) and so on.
struct access_check {
  llvm::CallInst* call;
  llvm::Value* address;
  unsigned bytes;
  bool writes;
  bool updates;  // writes a value that depends on the old one
  bool unaligned;
};

// The name of the function that the instruction calls; empty if it calls none, or an unknown one.
llvm::StringRef name_of_callee(const llvm::Instruction& instruction);

std::optional<access_check> find_check(llvm::Instruction& instruction);

// A copy or fill of a range, which is checked and made by one call.
bool is_range_check(const llvm::Instruction& instruction);

// Whether the instruction may synchronise the thread with others. True for calls of unknown functions.
bool may_synchronise(const llvm::Instruction& instruction);

}  // namespace cohort
