// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of inline PTX, divided into statements.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::ptx {

enum class statement_kind {
  instruction,
  directive,    // ".reg .u32 a, b": `opcode` is ".reg"
  label,        // "LOOP:": `opcode` is "LOOP"
  open_scope,   // "{"
  close_scope,  // "}"
};

struct statement {
  statement_kind kind = statement_kind::instruction;
  std::string text;         // the statement as written, for errors
  std::string guard;        // "p" of "@p" and of "@!p"; empty without a guard
  bool is_negated = false;  // "@!p"
  std::string opcode;       // "add.u32"
  std::vector<std::string> operands;
  std::vector<size_t> scopes;  // numbers of the open braces around the statement, outermost first; 0 is the whole text
};

/// Divides the text of LLVM's inline assembly; operands are "$0", "$1".
std::vector<statement> parse_statements(std::string_view assembly);

/// The elements of "{a, b}"; a single operand is its own element.
std::vector<std::string_view> elements_of(std::string_view operand);

/// The text without white space at both ends.
std::string_view trimmed(std::string_view text);

/// The parts between separators, which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace cohort::ptx
