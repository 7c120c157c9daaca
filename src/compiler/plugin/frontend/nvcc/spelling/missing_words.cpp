// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/spelling/missing_words.hpp"

#include "frontend/nvcc/spelling/redeclarations.hpp"
#include "frontend/nvcc/spelling/source_tokens.hpp"

#include <algorithm>
#include <fstream>

#include "clang/Basic/Cuda.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "frontend/warnings/execution_side.hpp"
#include "llvm/ADT/STLExtras.h"

namespace cohort {
namespace {

// The words by the letters that stand for them in the notes.
constexpr char type_keyword = 't', launch_begin = 'l', address_begin = 'a', lambda_end = 'e';

llvm::StringRef text_of(char word) {
  switch (word) {
    case type_keyword:
      return "typename ";
    case launch_begin:
      return "[&] __cohort_kernel_reference__ () { ";
    case address_begin:
      return "[&] __cohort_kernel_reference__ () { return ";
    case lambda_end:
      return "; }()";
    default:
      return words_of_both_sides(word);
  }
}

class qualified_name {
 public:
  qualified_name(const source_tokens& tokens, size_t name) : tokens_(tokens), first_(name), next_(name + 1) {
    if (word(name - 1) == "template") {
      next_ = is(next_, '<') ? behind_arguments(next_) : next_;
    }
    find_first();
  }

  size_t first() const { return first_; }

  // The first token after the name and its template arguments.
  size_t end_of_arguments() const {
    return is(next_, '<') && !is_launch_bracket(next_) ? behind_arguments(next_) : next_;
  }
  bool is_launch_bracket(size_t i) const { return is(i, '<') && is(i + 1, '<') && is(i + 2, '<'); }

  // True if nvcc takes the name for a type.
  bool is_construction() const {
    if (is(next_, '(')) {
      return true;
    }
    if (!is(first_ - 1, '(')) {
      return false;
    }
    const bool is_operand =
        llvm::is_contained({"sizeof", "alignof", "_Alignof", "__alignof__", "__alignof"}, word(first_ - 2));
    const bool is_cast = is(next_, ')') && is(next_ + 1, '(') && !ends_expression(first_ - 2);
    return is_cast || (is_operand && (is(next_, ')') || is(next_, '[')));
  }

 private:
  llvm::StringRef word(size_t i) const { return tokens_.word(i); }
  bool is(size_t i, char kind) const { return tokens_.is(i, kind); }
  bool is_scope(size_t first) const { return is(first, ':') && is(first + 1, ':') && tokens_.adjacent(first); }

  // A word that a name with a leading `::` may follow.
  bool is_keyword(size_t i) const {
    return llvm::is_contained({"return", "else", "do", "case", "throw", "co_return", "co_yield"}, word(i));
  }
  bool ends_expression(size_t i) const {
    return is(i, ')') || is(i, ']') || is(i, '>') || (is(i, 'w') && !is_keyword(i));
  }

  // Goes from the last name of `A<x>::template b<y>::c` to its first token, which may be a colon.
  void find_first() {
    while (true) {
      const size_t scope = first_ - (word(first_ - 1) == "template" ? 3 : 2);
      if (scope >= tokens_.size() || !is_scope(scope)) {
        return;
      }
      const size_t name = is(scope - 1, '>') ? before_arguments(scope - 1) : scope - 1;
      if (!is(name, 'w') || is_keyword(name)) {
        first_ = scope;  // the :: of the global namespace
        return;
      }
      first_ = name;
    }
  }

  // The token before the list of arguments that ends at `close`.
  size_t before_arguments(size_t close) const {
    int brackets = 0, parentheses = 0;
    for (size_t i = close; i < tokens_.size() && !is(i, ';'); --i) {
      parentheses += is(i, ')');
      parentheses -= is(i, '(');
      brackets += parentheses == 0 && is(i, '>');
      brackets -= parentheses == 0 && is(i, '<');
      if (brackets == 0) {
        return i - 1;
      }
    }
    return tokens_.size();
  }

  // The index of the first token after the argument list that begins at `open`.
  size_t behind_arguments(size_t open) const {
    int brackets = 0, parentheses = 0;
    for (size_t i = open; i < tokens_.size() && !is(i, ';'); ++i) {
      parentheses += is(i, '(');
      parentheses -= is(i, ')');
      brackets += parentheses == 0 && is(i, '<');
      brackets -= parentheses == 0 && is(i, '>');
      if (brackets == 0) {
        return i + 1;
      }
    }
    return tokens_.size();
  }

  const source_tokens& tokens_;
  size_t first_, next_;  // the first token, and the token after the name
};

}  // namespace

// The number of the token at the offset `place`, if it is of that kind.
static std::optional<size_t> token_at(const source_tokens& tokens, size_t place, char kind) {
  for (size_t i = 0; i < tokens.size() && tokens[i].begin <= place; ++i) {
    if (tokens[i].begin == place && tokens[i].kind == kind) {
      return i;
    }
  }
  return std::nullopt;
}

// The number of the word at the offset `name`; none for another token.
static std::optional<size_t> word_at(const source_tokens& tokens, size_t name) { return token_at(tokens, name, 'w'); }

std::optional<size_t> place_of_typename(llvm::StringRef source, size_t name) {
  const source_tokens tokens(source);
  if (const auto word = word_at(tokens, name)) {
    const qualified_name found(tokens, *word);
    return found.first() != *word && found.is_construction() ? std::optional(tokens[found.first()].begin)
                                                             : std::nullopt;
  }
  return std::nullopt;
}

std::optional<size_t> place_of_attributes(llvm::StringRef source, size_t name) {
  const source_tokens tokens(source);
  const auto last = token_at(tokens, name, source.substr(name).starts_with("~") ? '~' : 'w');
  return last ? std::optional(tokens[qualified_name(tokens, *last).first()].begin) : std::nullopt;
}

namespace {

// The token after the parenthesis that closes the one at `open`.
std::optional<size_t> behind_parenthesis(const source_tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    depth += tokens.is(i, '(') || tokens.is(i, '[') || tokens.is(i, '{');
    depth -= tokens.is(i, ')') || tokens.is(i, ']') || tokens.is(i, '}');
    if (depth == 0) {
      return i + 1;
    }
  }
  return std::nullopt;
}

// The token after the launch whose configuration begins at `open`.
std::optional<size_t> behind_launch(const source_tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open + 3; i < tokens.size() && depth >= 0; ++i) {
    depth += tokens.is(i, '(') || tokens.is(i, '[') || tokens.is(i, '{');
    depth -= tokens.is(i, ')') || tokens.is(i, ']') || tokens.is(i, '}');
    if (depth == 0 && tokens.is(i, '>') && tokens.is(i + 1, '>') && tokens.is(i + 2, '>') && tokens.is(i + 3, '(')) {
      return behind_parenthesis(tokens, i + 3);
    }
  }
  return std::nullopt;
}

}  // namespace

bool refers_to_kernel(const clang::Diagnostic& error) {
  return error.getID() == clang::diag::err_ref_bad_target &&
         error.getRawArg(0) == static_cast<uint64_t>(clang::CUDAFunctionTarget::Global);
}

std::optional<kernel_use> find_kernel_use(llvm::StringRef source, size_t name) {
  const source_tokens tokens(source);
  // clang names the `&` before an overloaded name or a template.
  const bool is_address = source[name] == '&';
  auto word = word_at(tokens, is_address ? source.find_first_not_of(" \t\n", name + 1) : name);
  if (!word) {
    return std::nullopt;
  }
  while (is_address && tokens.is(*word + 1, ':') && tokens.is(*word + 2, ':') && tokens.is(*word + 3, 'w')) {
    *word += 3;
  }
  const qualified_name found(tokens, *word);
  size_t first = found.first();
  const size_t behind_name = found.end_of_arguments();
  if (found.is_launch_bracket(behind_name)) {
    const auto behind = behind_launch(tokens, behind_name);
    return behind ? std::optional(kernel_use{tokens[first].begin, tokens[*behind - 1].end, true}) : std::nullopt;
  }
  if (tokens.is(first - 1, '&') && !tokens.is(first - 2, '&')) {
    --first;
  }
  if (behind_name > tokens.size()) {
    return std::nullopt;
  }
  return kernel_use{tokens[first].begin, tokens[behind_name - 1].end, false};
}

missing_words::missing_words(clang::CompilerInstance& compiler, const std::string& notes)
    : compiler_(compiler), notes_(notes) {
  std::ifstream lines(notes);
  size_t offset = 0;
  char word = 0;
  for (std::string path; lines >> word >> offset && lines.get() && std::getline(lines, path);) {
    if (const auto file = compiler.getFileManager().getOptionalFileRef(path)) {
      inserted_[&file->getFileEntry()].emplace(offset, word);
    }
  }
  noted_ = inserted_;
}

std::optional<std::string> missing_words::completed(clang::FileEntryRef file, llvm::StringRef text) const {
  const auto places = inserted_.find(&file.getFileEntry());
  if (places == inserted_.end()) {
    return std::nullopt;
  }
  std::string result = text.str();
  for (const auto& [offset, word] : llvm::reverse(places->second)) {
    result.insert(std::min(offset, result.size()), text_of(word));
  }
  return result;
}

void missing_words::note(const clang::Diagnostic& error) {
  if (notes_.empty()) {
    return;
  }
  switch (error.getID()) {
    case clang::diag::err_typename_missing:
    case clang::diag::err_template_kw_refers_to_type_template:
      add_typename(error);
      break;
    case clang::diag::err_ref_bad_target:
      if (refers_to_kernel(error)) {
        add_lambda(error.getLocation(), false);
      }
      break;
    case clang::diag::err_ovl_no_viable_function_in_call:
      if (compiler_.hasSema() && side_of(compiler_.getSema().getCurFunctionDecl(true)).device) {
        add_lambda(error.getLocation(), true);
      }
      break;
    case clang::diag::err_typename_nested_not_type:
    case clang::diag::err_typename_not_type:
      if (!inserted_.empty()) {
        const std::ofstream emptied(notes_, std::ios::trunc);
        notes_.clear();
      }
      break;
    default:
      break;
  }
}

void missing_words::add_typename(const clang::Diagnostic& error) {
  // Host code must have `typename` itself: nvcc passes it to g++, which requires the keyword.
  const clang::FunctionDecl* function = compiler_.hasSema() ? compiler_.getSema().getCurFunctionDecl(true) : nullptr;
  if (function && !function->isImplicit() && !side_of(function).device) {
    return;
  }
  const bool is_plain = error.getID() == clang::diag::err_typename_missing && error.getNumRanges() > 0;
  add(is_plain ? error.getRange(0).getEnd() : error.getLocation(), place_of_typename, type_keyword);
}

bool missing_words::add_sides(clang::SourceLocation name, char word) {
  return !notes_.empty() && name.isFileID() && add(name, place_of_attributes, word);
}

void missing_words::add_lambda(clang::SourceLocation name, bool only_launches) {
  if (add_lambda_at(name, only_launches) || !name.isMacroID()) {
    return;
  }
  // The launch is in a macro's definition, and the kernel's name is an argument of the macro: adds the lambda there.
  const clang::SourceManager& sources = compiler_.getSourceManager();
  if (sources.isMacroArgExpansion(name)) {
    add_lambda_at(sources.getImmediateExpansionRange(name).getBegin(), only_launches);
  }
}

bool missing_words::add_lambda_at(clang::SourceLocation name, bool only_launches) {
  if (name.isInvalid()) {
    return false;
  }
  const clang::SourceManager& sources = compiler_.getSourceManager();
  const auto [file, offset] = sources.getDecomposedSpellingLoc(name);
  const auto use = find_kernel_use(sources.getBufferData(file), offset);
  // A macro's argument is a part of the launch, or of another expression, in the definition.
  const bool is_argument = name.isMacroID() && sources.isMacroArgExpansion(name);
  if (!use || (!use->is_launch && (only_launches || is_argument))) {
    return false;
  }
  add_at(file, use->begin, use->is_launch ? launch_begin : address_begin);
  add_at(file, use->end, lambda_end);
  return true;
}

bool missing_words::add(clang::SourceLocation name, std::optional<size_t> (*place_of)(llvm::StringRef, size_t),
                        char word) {
  if (name.isInvalid()) {
    return false;
  }
  const clang::SourceManager& sources = compiler_.getSourceManager();
  const auto [file, offset] = sources.getDecomposedSpellingLoc(name);
  const auto place = place_of(sources.getBufferData(file), offset);
  return place && add_at(file, *place, word);
}

bool missing_words::add_at(clang::FileID file_id, size_t place, char word) {
  const auto file = compiler_.getSourceManager().getFileEntryRefForID(file_id);
  if (!file) {
    return false;
  }
  size_t original = place;
  if (const auto inserted = inserted_.find(&file->getFileEntry()); inserted != inserted_.end()) {
    for (const auto& [before, known] : inserted->second) {
      original -= before + text_of(known).size() <= original ? text_of(known).size() : 0;
    }
  }
  const bool is_new = noted_[&file->getFileEntry()].emplace(original, word).second;
  if (is_new) {
    std::ofstream(notes_, std::ios::app) << word << ' ' << original << ' ' << file->getName().str() << '\n';
    compiler_.getDiagnostics().setErrorLimit(0);  // finds all places: the pass is repeated
  }
  return is_new;
}

}  // namespace cohort
