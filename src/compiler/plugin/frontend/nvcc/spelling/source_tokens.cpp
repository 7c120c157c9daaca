// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/source_tokens.hpp"

#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace cohort {

namespace {

bool is_word(char c) { return llvm::isAlnum(c) || c == '_'; }

// The end of a literal that begins with the quote at `at`.
size_t end_of_literal(llvm::StringRef source, size_t at) {
  const char quote = source[at];
  for (size_t i = at + 1; i < source.size(); ++i) {
    if (source[i] == '\\') {
      ++i;
    } else if (source[i] == quote || source[i] == '\n') {
      return i + 1;
    }
  }
  return source.size();
}

// The end of R"mark(...)mark", whose quote is at `at`.
size_t end_of_raw_string(llvm::StringRef source, size_t at) {
  const size_t open = source.find('(', at);
  if (open == llvm::StringRef::npos) {
    return source.size();
  }
  const std::string closing = (")" + source.slice(at + 1, open) + "\"").str();
  const size_t end = source.find(closing, open);
  return end == llvm::StringRef::npos ? source.size() : end + closing.size();
}

size_t end_of_comment(llvm::StringRef source, size_t at) {
  const size_t end = source[at + 1] == '/' ? source.find('\n', at) : source.find("*/", at + 2);
  return end == llvm::StringRef::npos ? source.size() : end + (source[at + 1] == '/' ? 0 : 2);
}

}  // namespace

source_tokens::source_tokens(llvm::StringRef source) : source_(source) {
  for (size_t i = 0; i < source.size();) {
    const char c = source[i];
    size_t end = i + 1;
    if (llvm::isSpace(c)) {
      i = end;
      continue;
    }
    if (c == '/' && end < source.size() && (source[end] == '/' || source[end] == '*')) {
      i = end_of_comment(source, i);
      continue;
    }
    char kind = c;
    if (c == '"' || c == '\'') {
      kind = '"';
      end = end_of_literal(source, i);
    } else if (is_word(c)) {
      kind = 'w';
      while (end < source.size() && (is_word(source[end]) || (source[end] == '\'' && llvm::isDigit(c)))) {
        ++end;
      }
      if (end < source.size() && source[end] == '"' && source[end - 1] == 'R' && end - i <= 3) {
        kind = '"';
        end = end_of_raw_string(source, end);
      }
    }
    tokens_.push_back({i, end, kind});
    i = end;
  }
}

bool is_ptx(llvm::StringRef literal) {
  static const llvm::Regex type("\\.(b|u|s|f|bf)(8|16|32|64)");
  static const llvm::Regex opcode("^\"([[:space:]{]|\\\\[nt])*[a-z][a-z0-9]*\\.[a-z]");
  return type.match(literal) || opcode.match(literal);
}

}  // namespace cohort
