// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace cohort {

struct source_token {
  size_t begin, end;
  char kind;  // 'w': a word or number, '"': a string or character, else the character itself
};

// The tokens of a source that has not been preprocessed, without comments.
class source_tokens {
 public:
  explicit source_tokens(llvm::StringRef source);

  size_t size() const { return tokens_.size(); }
  const source_token& operator[](size_t i) const { return tokens_[i]; }

  // The word at `i`; empty if another token is there, or none.
  llvm::StringRef word(size_t i) const {
    return is(i, 'w') ? source_.slice(tokens_[i].begin, tokens_[i].end) : llvm::StringRef();
  }
  bool is(size_t i, char kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }

  // True if no space or comment separates the token at `i` from the next one.
  bool adjacent(size_t i) const { return i + 1 < tokens_.size() && tokens_[i].end == tokens_[i + 1].begin; }

 private:
  llvm::StringRef source_;
  std::vector<source_token> tokens_;
};

// True if a literal of an asm statement, with its quotes, is PTX and not assembly of this CPU: it has a type of PTX's,
// such as the end of "add.u32", or begins with an opcode that has a suffix, such as "cp.async". Instructions of x86
// have no dots.
bool is_ptx(llvm::StringRef literal);

}  // namespace cohort
