// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that lowering depends on, as words: arguments of the plugin, and facts in a module.
#pragma once

#include <string>
#include <vector>

#include "facts/source_facts.hpp"

#include "llvm/ADT/StringRef.h"

namespace cohort {

// Sets the option that the word names, as `gangs=off`. Returns false if there is none.
bool read_word(plugin_options& options, llvm::StringRef word);

// The words that turn default options into `options`.
std::vector<std::string> words_of(const plugin_options& options);

}  // namespace cohort
