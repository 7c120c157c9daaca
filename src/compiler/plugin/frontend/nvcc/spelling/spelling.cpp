// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/spelling.hpp"

#include "frontend/nvcc/spelling/dependent_templates.hpp"
#include "frontend/nvcc/spelling/missing_words.hpp"
#include "frontend/nvcc/spelling/source_tokens.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cohort {
namespace {

class respeller {
 public:
  explicit respeller(llvm::StringRef source) : source_(source), tokens_(source), text_(source.str()) {}

  std::optional<std::string> run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (is_launch(i)) {
        join_launch(i);
      } else if (word(i) == "asm" || word(i) == "__asm__" || word(i) == "__asm") {
        respell_assembly(i + 1);
      } else if (is_cuda_attribute(i) && is_pair(i + 1, '[')) {
        move_attributes(i);
      } else if (is_pragma_macro(i)) {
        respell_pragma(i + 3);
      } else if (word(i) == "if" && word(i + 1) == "constexpr" && is(i + 2, '(')) {
        respell_condition(i + 2);
      } else if (is_pointer_to_array(i)) {
        respell_array_cast(i + 2);
      }
    }
    for (const size_t name : names_without_template(tokens_)) {
      inserted_.emplace_back(name, "template ");
    }
    std::stable_sort(inserted_.begin(), inserted_.end(), llvm::less_first());
    for (auto at = inserted_.rbegin(); at != inserted_.rend(); ++at) {
      text_.insert(at->first, at->second);
    }
    return text_ == source_ ? std::nullopt : std::optional(text_);
  }

 private:
  llvm::StringRef word(size_t i) const { return tokens_.word(i); }
  bool is(size_t i, char kind) const { return tokens_.is(i, kind); }
  bool adjacent(size_t i) const { return tokens_.adjacent(i); }

  // True for __device__ and similar words, which are also names of GNU attributes.
  bool is_cuda_attribute(size_t i) const {
    return llvm::is_contained({"__device__", "__host__", "__global__", "__noinline__"}, word(i));
  }

  // Three brackets of which the first two are adjacent. `operator<< <int>` is a function's name.
  bool three(size_t i, char bracket) const {
    return is(i, bracket) && is(i + 1, bracket) && is(i + 2, bracket) && adjacent(i) &&
           source_.slice(tokens_[i + 1].end, tokens_[i + 2].begin).trim().empty();  // no comment between
  }
  bool is_launch(size_t i) const {
    return i > 0 && three(i, '<') && !is(i - 1, '<') && word(i - 1) != "operator" && !is(i + 3, '<');
  }

  // Moves the third bracket to the other two.
  void join(size_t i) { std::swap(text_[tokens_[i + 1].end], text_[tokens_[i + 2].begin]); }

  // clang accepts no braces for the dimensions of `k<<<{1, 2}, {3, 4}>>>()`.
  void join_launch(size_t open) {
    int depth = 0;
    llvm::SmallVector<size_t> braces;
    for (size_t i = open + 3; i < tokens_.size() && depth >= 0 && !is(i, ';'); ++i) {
      if (depth == 0 && is(i, '{') && (i == open + 3 || is(i - 1, ','))) {
        braces.push_back(tokens_[i].begin);
      }
      depth += is(i, '(') || is(i, '[') || is(i, '{');
      depth -= is(i, ')') || is(i, ']') || is(i, '}');
      if (depth == 0 && three(i, '>') && is(i + 3, '(')) {
        join(open);
        join(i);
        for (const size_t brace : braces) {
          inserted_.emplace_back(brace, "dim3");
        }
        return;
      }
    }
  }

  // True for `#define UNROLL #pragma unroll`. A macro with parameters has `(` in place of the second `#`.
  bool is_pragma_macro(size_t i) const {
    return is(i, '#') && word(i + 1) == "define" && is(i + 3, '#') && word(i + 4) == "pragma" && adjacent(i + 3) &&
           source_.substr(tokens_[i + 4].end).starts_with(" ");
  }

  // Makes `_Pragma("unroll")` of `#pragma unroll`.
  void respell_pragma(size_t sign) {
    const size_t end_of_line = std::min(source_.find('\n', tokens_[sign].begin), source_.size());
    size_t last = sign + 1;
    while (last + 1 < tokens_.size() && tokens_[last + 1].end <= end_of_line) {
      ++last;
    }
    text_[tokens_[sign].begin] = '_';
    text_[tokens_[sign + 1].begin] = 'P';
    text_[tokens_[sign + 1].end] = '(';
    inserted_.emplace_back(tokens_[sign + 1].end + 1, "\"");
    inserted_.emplace_back(tokens_[last].end, "\"");
    inserted_.emplace_back(tokens_[last].end, ")");
  }

  bool is_pair(size_t i, char bracket) const { return is(i, bracket) && is(i + 1, bracket) && adjacent(i); }

  // The first token after the attribute lists, such as `[[nodiscard]] [[deprecated]]`, that begin at `open`.
  size_t end_of_attributes(size_t open) const {
    while (is_pair(open, '[')) {
      while (open < tokens_.size() && !is_pair(open, ']')) {
        ++open;
      }
      open += 2;
    }
    return open;
  }

  // Moves attributes before the CUDA attributes that end with `last`: clang takes standard attributes first or not at
  // all. nvcc accepts them among others, but not after other words of the declaration.
  void move_attributes(size_t last) {
    const size_t end = end_of_attributes(last + 1);
    if (end >= tokens_.size() || is(end, '(')) {  // a lambda's attributes stand before its parameters
      return;
    }
    size_t first = last;
    while (first > 0 && is_cuda_attribute(first - 1)) {
      --first;
    }
    const auto specifiers = source_.slice(tokens_[first].begin, tokens_[last].end);
    const auto gap = source_.slice(tokens_[last].end, tokens_[last + 1].begin);
    const auto attributes = source_.slice(tokens_[last + 1].begin, tokens_[end - 1].end);
    const std::string moved = (attributes + gap + specifiers).str();
    text_.replace(tokens_[first].begin, moved.size(), moved);
  }

  // `open` is the parenthesis of an asm statement, or `volatile` or `goto` before it.
  void respell_assembly(size_t open) {
    while (!word(open).empty()) {
      ++open;
    }
    int depth = 0;
    size_t colons = 0;
    bool ptx = false;
    for (size_t i = open; i < tokens_.size(); ++i) {
      depth += is(i, '(');
      depth -= is(i, ')');
      if (depth == 0) {
        return;
      }
      colons += depth == 1 && is(i, ':');
      if (depth == 1 && is(i, '"')) {
        ptx = ptx || (colons == 0 && is_ptx(source_.slice(tokens_[i].begin, tokens_[i].end)));
        if (ptx && colons == 0) {
          escape_registers(i);
        }
      }
      if (depth == 1 && is(i, ')') && (is(i + 1, '"') || is(i + 1, '['))) {
        add_comma(tokens_[i].end);
      }
    }
  }

  // nvcc reads the static member `this->value` in the condition of `if constexpr`, which is no constant in C++17. Its
  // class, in place of `this->`, finds members of dependent base classes too.
  void respell_condition(size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      depth += is(i, '(');
      depth -= is(i, ')');
      if (depth == 0) {
        return;
      }
      const bool is_member = word(i) == "this" && is(i + 1, '-') && is(i + 2, '>') && !word(i + 3).empty();
      if (is_member && adjacent(i + 1) && !is(i + 4, '(')) {
        const size_t length = tokens_[i + 2].end - tokens_[i].begin;
        text_.replace(tokens_[i].begin, length, length, ' ');
        inserted_.emplace_back(tokens_[i].begin, "cohort_object<decltype(*this)>::type::");
      }
    }
  }

  // True for "type (*name)[", in contrast to an expression.
  bool is_pointer_to_array(size_t i) const {
    const llvm::StringRef before = i > 0 ? word(i - 1) : llvm::StringRef();
    return !before.empty() && before != "return" && before != "else" && before != "do" && is(i, '(') &&
           is(i + 1, '*') && !word(i + 2).empty() && is(i + 3, ')') && is(i + 4, '[');
  }

  // The first token after the brackets that begin at `open`.
  size_t end_of_brackets(size_t open) const {
    int depth = 0;
    while (is(open, '[') || (depth > 0 && open < tokens_.size())) {
      depth += is(open, '[');
      depth -= is(open, ']');
      ++open;
    }
    return open;
  }

  // double (*name)[n][m] = (double (*)[n][m])pointer: to clang, arrays of variable length in two places have two types,
  // which is an error; g++ and nvcc convert. A second cast converts to the declared type.
  void respell_array_cast(size_t name) {
    const size_t sign = end_of_brackets(name + 2);
    if (!is(sign, '=') || !is(sign + 1, '(')) {
      return;
    }
    size_t type = sign + 2;
    while (!word(type).empty() || is(type, ':')) {
      ++type;
    }
    const bool is_cast = is(type, '(') && is(type + 1, '*') && is(type + 2, ')') && is(type + 3, '[');
    if (is_cast && is(end_of_brackets(type + 3), ')')) {
      inserted_.emplace_back(tokens_[sign + 1].begin, "(decltype(" + word(name).str() + "))");
    }
  }

  void add_comma(size_t at) {
    if (text_[at] == ' ' || text_[at] == '\t') {
      text_[at] = ',';
    } else {
      inserted_.emplace_back(at, ",");
    }
  }

  // In an asm template, nvcc reads `%laneid` as a register. In clang, `%` begins an operand and `%%` is a literal `%`.
  // A letter with a number, as in `%r1`, may be an operand with a modifier and stays.
  void escape_registers(size_t i) {
    for (size_t at = tokens_[i].begin; at + 2 < tokens_[i].end; ++at) {
      if (source_[at] != '%') {
        continue;
      }
      if (source_[at + 1] == '%') {
        ++at;
      } else if (llvm::isAlpha(source_[at + 1]) && (llvm::isAlpha(source_[at + 2]) || source_[at + 2] == '_')) {
        inserted_.emplace_back(at, "%");
      }
    }
  }

  llvm::StringRef source_;
  source_tokens tokens_;
  std::string text_;
  std::vector<std::pair<size_t, std::string>> inserted_;  // texts and their places in the source
};

class spelling_watch : public clang::PPCallbacks {
 public:
  spelling_watch(clang::SourceManager& sources, std::shared_ptr<const missing_words> words)
      : sources_(sources), words_(std::move(words)) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef, const clang::Module*,
                          bool, clang::SrcMgr::CharacteristicKind kind) override {
    if (file && (kind == clang::SrcMgr::C_User || !is_of_the_system(file->getName()))) {
      respell(*file);
    }
  }

  // True if the file has another text now.
  bool respell(clang::FileEntryRef file) {
    if (!seen_.insert(&file.getFileEntry()).second) {
      return false;
    }
    const auto buffer = sources_.getFileManager().getBufferForFile(file);
    if (!buffer) {
      return false;  // clang reports the unreadable file
    }
    auto text = in_clang_spelling((*buffer)->getBuffer());
    if (auto completed = words_->completed(file, text ? llvm::StringRef(*text) : (*buffer)->getBuffer())) {
      text = std::move(completed);
    }
    if (text) {
      sources_.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(*text, file.getName()));
    }
    return text.has_value();
  }

 private:
  // Libraries such as CUB mark their own headers as system headers; only those of the system are never for nvcc.
  static bool is_of_the_system(llvm::StringRef path) {
    return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/");
  }

  clang::SourceManager& sources_;
  std::shared_ptr<const missing_words> words_;
  llvm::DenseSet<const clang::FileEntry*> seen_;
};

}  // namespace

static bool has_pragma_macro(llvm::StringRef source) {
  for (size_t at = source.find("#pragma "); at != llvm::StringRef::npos; at = source.find("#pragma ", at + 1)) {
    const llvm::StringRef before = source.take_front(at);
    if (before.substr(before.rfind('\n') + 1).contains("define")) {
      return true;
    }
  }
  return false;
}

// A quick test: most files need no change.
static bool may_need_change(llvm::StringRef source) {
  return source.contains("asm") || source.contains("<<") || source.contains("[[") || has_pragma_macro(source) ||
         may_lack_template(source);
}

std::optional<std::string> in_clang_spelling(llvm::StringRef source) {
  if (!may_need_change(source)) {
    return std::nullopt;
  }
  return respeller(source).run();
}

void accept_nvcc_spelling(clang::CompilerInstance& compiler, std::shared_ptr<const missing_words> words) {
  clang::SourceManager& sources = compiler.getSourceManager();
  auto watch = std::make_unique<spelling_watch>(sources, std::move(words));
  if (const auto main = sources.getFileEntryRefForID(sources.getMainFileID())) {
    if (watch->respell(*main)) {  // the file has an id already, with room for the locations of the old text
      sources.setMainFileID(sources.createFileID(*main, clang::SourceLocation(), clang::SrcMgr::C_User));
    }
  }
  compiler.getPreprocessor().addPPCallbacks(std::move(watch));
}

}  // namespace cohort
