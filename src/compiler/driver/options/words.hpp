// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits option values and option files into words, as nvcc and shells do. A quote that is not closed is a usage_error.
#pragma once

#include <string>
#include <vector>

namespace cohort {

// Adds words to a command.
inline void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// The parts between commas, without the empty ones.
std::vector<std::string> split_list(const std::string& text);

// The words between spaces and line ends. Quotes and backslashes protect the characters as in a shell.
std::vector<std::string> split_words(const std::string& text);

// The options in the value of -Xcompiler and the like: commas and spaces separate them, quotes and backslashes protect
// both. The parts of an option for the linker, "-Wl,-rpath,folder", stay together.
std::vector<std::string> split_passed_options(const std::string& value);

}  // namespace cohort
