// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opcode of an instruction that accesses memory.
#pragma once

#include "lower/ptx/statement.hpp"

#include "llvm/Support/AtomicOrdering.h"

namespace cohort {

struct memory_access {
  llvm::StringRef instruction;  // ld, st, atom, red
  llvm::StringRef operation;    // of atom and red: add, cas ...
  ptx_type type;                // of one element
  llvm::StringRef small_float;  // f16, f16x2, bf16 or bf16x2 of an addition, which `type` has as bits
  unsigned elements = 1;
  bool is_shared = false;
  bool is_volatile = false;
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic;
};

}  // namespace cohort
