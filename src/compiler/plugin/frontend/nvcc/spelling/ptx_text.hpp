// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cohort {

// True if a literal of an asm statement, with its quotes, is PTX and not assembly of this CPU: it has a type of PTX's,
// such as the end of "add.u32", or begins with an opcode that has a suffix, such as "cp.async". Instructions of x86
// have no dots.
bool is_ptx(llvm::StringRef literal);

}  // namespace cohort
