// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc reads the tokens of a template again when device code instantiates it, so `T::part(3)` makes an object without
// the word `typename`. clang has decided by then that `T::part` is no type, and cannot continue. Each such place is
// noted in a file. The driver runs the failed pass again, which inserts the word at the noted places.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "clang/Basic/FileEntry.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class Diagnostic;
}  // namespace clang

namespace cohort {

// Where `typename` belongs in `source`, if the name at `name` is the last one of `T::part` or `T::template part<int>`
// and is used as nvcc permits: T::part(x), (T::part)(x), sizeof(T::part), alignof(T::part).
std::optional<size_t> place_of_typename(llvm::StringRef source, size_t name);

class missing_typenames {
 public:
  // Reads the notes of the failed pass, if there are any. Nothing is recorded if the file name is empty.
  missing_typenames(clang::CompilerInstance& compiler, const std::string& notes);

  // The text of `file` with the keyword at the noted places; none if there are none.
  std::optional<std::string> completed(clang::FileEntryRef file, llvm::StringRef text) const;

  // Records the place of an error of clang. Empties the notes if the keyword is wrong: another instantiation has a
  // function there.
  void note(const clang::Diagnostic& error);

 private:
  void add(const clang::Diagnostic& error);

  clang::CompilerInstance& compiler_;
  std::string notes_;
  // Offsets in the text without the keywords: the places that have the keyword now, and all that were noted.
  std::map<const clang::FileEntry*, std::set<size_t>> inserted_, noted_;
};

}  // namespace cohort
