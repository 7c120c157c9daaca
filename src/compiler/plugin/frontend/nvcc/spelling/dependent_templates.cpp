// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/dependent_templates.hpp"

#include "frontend/nvcc/spelling/source_tokens.hpp"

#include <optional>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cohort {
namespace {

class name_search {
 public:
  explicit name_search(const source_tokens& tokens) : tokens_(tokens) {}

  std::vector<size_t> run() {
    find_declarations();
    std::vector<size_t> places;
    for (size_t i = 2; i + 1 < tokens_.size(); ++i) {
      const bool lacks = is(i + 1, '<') ? is_member(i) && has_arguments(i) : is_call_operator(i);
      if (lacks && !in_declaration(i)) {
        places.push_back(tokens_[i].begin);
      }
    }
    return places;
  }

 private:
  bool is(size_t i, char kind) const { return tokens_.is(i, kind); }
  bool is_scope(size_t i) const { return i > 0 && is(i, ':') && is(i - 1, ':') && tokens_.adjacent(i - 1); }

  // Collects types, which may be parameters of templates, and functions that are templates.
  void find_declarations() {
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const llvm::StringRef word = tokens_.word(i);
      if (word == "class" || word == "typename") {
        size_t name = i + 1;
        while (is(name, '.')) {
          ++name;
        }
        if (is(name, 'w') && !is(name + 1, ':')) {  // not `typename space::type`
          types_.insert(tokens_.word(name));
        }
      } else if (word == "template" && is(i + 1, '<')) {
        note_function(i + 1);
      }
    }
  }

  // Records the name before the first parenthesis after the parameters of a template.
  void note_function(size_t open) {
    size_t at = open;
    while (at < tokens_.size() && !is(at, '(') && !is(at, ';') && !is(at, '{')) {
      at = is(at, '<') ? closing_bracket(at).value_or(tokens_.size()) : at + 1;
      at += is(at, '>');
    }
    if (is(at, '(') && is(at - 1, 'w')) {
      functions_.insert(tokens_.word(at - 1));
    }
  }

  // The bracket that closes a list of template parameters or arguments.
  std::optional<size_t> closing_bracket(size_t open) const {
    int brackets = 0, parentheses = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      parentheses += is(i, '(');
      parentheses -= is(i, ')');
      if (parentheses < 0 || is(i, ';') || is(i, '{') || is(i, '}')) {
        return std::nullopt;
      }
      if (parentheses == 0) {
        brackets += is(i, '<');
        brackets -= is(i, '>');
        if (brackets == 0) {
          return i;
        }
      }
    }
    return std::nullopt;
  }

  // True if the word at `i` names a member of a dependent type, or of any expression.
  bool is_member(size_t i) const {
    const llvm::StringRef name = tokens_.word(i);
    if (name.empty() || llvm::isDigit(name[0]) || name == "operator") {
      return false;
    }
    if (is(i - 1, '.')) {
      return is(i - 2, 'w') ? !llvm::isDigit(tokens_.word(i - 2)[0]) : is(i - 2, ')') || is(i - 2, ']');
    }
    if (is(i - 1, '>') && is(i - 2, '-') && tokens_.adjacent(i - 2)) {
      return true;
    }
    return is_scope(i - 1) && is_dependent(i - 2);
  }

  // True for `operator` in `x.operator()<4>(y)`.
  bool is_call_operator(size_t i) const {
    const bool is_arrow = is(i - 1, '>') && is(i - 2, '-') && tokens_.adjacent(i - 2);
    if (tokens_.word(i) != "operator" || !(is(i - 1, '.') || is_arrow) || !is(i + 1, '(') || !is(i + 2, ')') ||
        !is(i + 3, '<')) {
      return false;
    }
    const std::optional<size_t> close = closing_bracket(i + 3);
    return close && is(*close + 1, '(');
  }

  // `scope` is the first colon after the name of a class: `X<...>::`, or `T::`, where T is the name of a type.
  bool is_dependent(size_t scope) const {
    if (scope == 0) {
      return false;
    }
    size_t first = scope - 1;
    while (first > 2 && is(first, 'w') && is_scope(first - 1)) {
      first -= 3;
    }
    return is(first, '>') || (is(first, 'w') && types_.contains(tokens_.word(first)));
  }

  // True if the bracket after the name at `i` opens the argument list of a call. Comparisons begin alike, as in `f(p.x
  // < n, m > (k))`, but have a comma, or an operator that arguments rarely have.
  bool has_arguments(size_t i) const {
    const std::optional<size_t> close = closing_bracket(i + 1);
    if (is(i + 2, '<') || !close || *close == i + 2 || !is(*close + 1, '(')) {  // `x.y << n >> (m)` shifts
      return false;
    }
    int depth = 0;
    for (size_t at = i + 2; at < *close; ++at) {
      depth += is(at, '(') || is(at, '<');
      depth -= is(at, ')') || is(at, '>');
      if (llvm::StringRef("=?;#\"&|.").contains(tokens_[at].kind) && depth == 0) {
        return false;
      }
      if (is(at, ',') && depth == 0 && !functions_.contains(tokens_.word(i))) {
        return false;
      }
    }
    return true;
  }

  // True in `template int X<int>::f<4>(int);`, where the keyword would be wrong.
  bool in_declaration(size_t i) const {
    for (; i > 0 && !is(i - 1, ';') && !is(i - 1, '{') && !is(i - 1, '}'); --i) {
      const llvm::StringRef word = tokens_.word(i - 1);
      if (word == "friend" ||
          (word == "template" && (i == 1 || !(is(i - 2, '.') || is(i - 2, '>') || is_scope(i - 2))))) {
        return true;
      }
    }
    return false;
  }

  const source_tokens& tokens_;
  llvm::StringSet<> types_, functions_;
};

}  // namespace

std::vector<size_t> names_without_template(const source_tokens& tokens) { return name_search(tokens).run(); }

bool may_lack_template(llvm::StringRef source) {
  for (size_t at = source.find('<'); at != llvm::StringRef::npos; at = source.find('<', at + 1)) {
    size_t end = at;
    while (end > 0 && source[end - 1] == ' ') {
      --end;
    }
    if (source.take_front(end).ends_with("operator()")) {
      return true;
    }
    size_t begin = end;
    while (begin > 0 && (llvm::isAlnum(source[begin - 1]) || source[begin - 1] == '_')) {
      --begin;
    }
    const llvm::StringRef rest = source.take_front(begin);
    if (begin != end &&
        (rest.ends_with(".") || rest.ends_with("->") || (rest.ends_with("::") && !rest.ends_with("std::")))) {
      return true;
    }
  }
  return false;
}

}  // namespace cohort
