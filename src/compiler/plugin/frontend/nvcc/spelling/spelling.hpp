// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
}

namespace cohort {

class missing_words;

// The source in clang's spelling; none if it needs no change. nvcc accepts spellings that clang refuses: spaces inside
// the brackets of a launch, `k<< <1, 32>> >(p)`; inline assembly without a comma between two operands or with one `%`
// before a register; attributes after `__device__`; macros for a `#pragma`; members of dependent types without
// `template` (dependent_templates.hpp). Lines stay the same, and columns where nothing is inserted.
std::optional<std::string> in_clang_spelling(llvm::StringRef source);

// Applies in_clang_spelling to the main file and to users' headers as they are read, and inserts each missing
// `typename`.
void accept_nvcc_spelling(clang::CompilerInstance& compiler, std::shared_ptr<const missing_words> words);

}  // namespace cohort
