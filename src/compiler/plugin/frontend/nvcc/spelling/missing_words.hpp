// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that nvcc does not need and clang does. Each such place is noted in a file. The driver runs the failed pass
// again, which inserts the words at the noted places.
// - nvcc reads the tokens of a template again when device code instantiates it, so `T::part(3)` makes an object without
//   the word `typename`. clang has decided by then that `T::part` is no type, and cannot continue.
// - A function whose declarations differ in __host__ and __device__ is one for both sides (redeclarations.hpp). clang
//   takes them for overloads.
// - Device code may launch kernels and take their addresses. clang permits that in a __host__ __device__ function only,
//   up to an error that it defers (frontend/nvcc/kernel_references.hpp). So the reference to the kernel, or the launch,
//   becomes the body of a __host__ __device__ lambda, which is called in its place.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class Diagnostic;
}  // namespace clang

namespace cohort {

// Where `typename` belongs in `source`, if the name at `name` is the last one of `T::part` or `T::template part<int>`
// and is used as nvcc permits: T::part(x), (T::part)(x), sizeof(T::part), alignof(T::part).
std::optional<size_t> place_of_typename(llvm::StringRef source, size_t name);

// Where attributes belong in a declaration of the function `A::f` whose last name, or its `~`, is at `name`: before
// `A`.
std::optional<size_t> place_of_attributes(llvm::StringRef source, size_t name);

// True for clang's error that device code refers to a kernel.
bool refers_to_kernel(const clang::Diagnostic& error);

// The part of `source` that device code takes for a value or a statement: a launch of the kernel whose last name is at
// `name`, up to its closing parenthesis, else the name with its scope, its template arguments and a `&` before it.
struct kernel_use {
  size_t begin, end;
  bool is_launch;
};
std::optional<kernel_use> find_kernel_use(llvm::StringRef source, size_t name);

class missing_words {
 public:
  // Reads the notes of the failed pass, if there are any. Nothing is recorded if the file name is empty.
  missing_words(clang::CompilerInstance& compiler, const std::string& notes);

  // The text of `file` with the words at the noted places; none if there are none.
  std::optional<std::string> completed(clang::FileEntryRef file, llvm::StringRef text) const;

  // Records the place of an error of clang. Empties the notes if the keyword is wrong: another instantiation has a
  // function there.
  void note(const clang::Diagnostic& error);

  // Records the word of a declaration (redeclarations.hpp) whose name is at `name`. Returns false if a macro has
  // written the name, or if the pass records nothing.
  bool add_sides(clang::SourceLocation name, char word);

 private:
  // The letters of words, by their offsets in the text without the words.
  using places = std::map<size_t, char>;

  void add_typename(const clang::Diagnostic& error);
  // Adds the lambda around a use of a kernel in device code; with `only_launches`, around a launch only.
  void add_lambda(clang::SourceLocation name, bool only_launches);
  bool add_lambda_at(clang::SourceLocation name, bool only_launches);
  bool add(clang::SourceLocation name, std::optional<size_t> (*place_of)(llvm::StringRef, size_t), char word);
  // Adds the word at an offset of the file's present text. Returns false if it is known.
  bool add_at(clang::FileID file, size_t place, char word);

  clang::CompilerInstance& compiler_;
  std::string notes_;
  std::map<const clang::FileEntry*, places> inserted_, noted_;
};

}  // namespace cohort
