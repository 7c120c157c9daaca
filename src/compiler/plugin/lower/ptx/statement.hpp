// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of inline PTX, divided into statements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cohort {

struct ptx_statement {
  std::string text;         // as written, for errors
  std::string guard;        // "p" of "@p" and of "@!p"; empty without a guard
  bool is_negated = false;  // "@!p"
  std::string opcode;       // "add.u32"; "{" and "}" open and close a scope of registers
  std::vector<std::string> operands;
};

// The type at the end of an opcode.
struct ptx_type {
  char kind = ' ';  // u, s, b, f, or p for a predicate
  unsigned bits = 0;

  bool is_signed() const { return kind == 's'; }
  bool is_float() const { return kind == 'f'; }
};

std::vector<ptx_statement> parse_ptx(llvm::StringRef assembly);
std::optional<ptx_type> parse_ptx_type(llvm::StringRef name);  // "u32", "pred"

// "{a, b}" -> "a", "b"; a single operand is itself.
llvm::SmallVector<llvm::StringRef, 4> elements_of(llvm::StringRef operand);

}  // namespace cohort
