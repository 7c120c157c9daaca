// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output of a search.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace cohort::engine {

inline constexpr const char* search_title = "cohort: search: ";

inline void print(FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}
// Prints a sentence about the search on stderr.
inline void say(const std::string& sentence) { print(stderr, search_title + sentence + "\n"); }

}  // namespace cohort::engine
