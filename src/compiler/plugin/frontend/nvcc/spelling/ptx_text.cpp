// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/ptx_text.hpp"

#include "llvm/Support/Regex.h"

namespace cohort {

bool is_ptx(llvm::StringRef literal) {
  static const llvm::Regex type("\\.(b|u|s|f|bf)(8|16|32|64)");
  static const llvm::Regex opcode("^\"([[:space:]{]|\\\\[nt])*[a-z][a-z0-9]*\\.[a-z]");
  return type.match(literal) || opcode.match(literal);
}

}  // namespace cohort
