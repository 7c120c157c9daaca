// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/warnings/warning_words.hpp"

#include <algorithm>

namespace cohort {

std::vector<std::string> cuda_warning_words(const options& chosen) {
  std::vector<std::string> words = {"-Werror=unknown-attributes",
                                    "-Werror=ignored-attributes",
                                    "-Wno-pass-failed",
                                    "-Wno-error=register",  // nvcc warns
                                    "-Wno-error=c++11-narrowing",
                                    "-Wno-error=reserved-user-defined-literal",  // "text"MACRO
                                    "-Wno-unused-command-line-argument"};
  for (const std::string& word : chosen.warnings) {
    words.push_back("-fplugin-arg-cohort-warnings-" + word);
  }
  if (chosen.relaxed_constexpr) {
    words.push_back("-fplugin-arg-cohort-relaxed-constexpr");
  }
  return words;
}

std::vector<std::string> cpp_warning_words(const options& chosen) {
  std::vector<std::string> words = {"-Wno-unused-command-line-argument"};
  if (chosen.warnings_are_errors) {
    words.push_back("-Werror");
  }
  return words;
}

std::vector<std::string> host_compiler_words(const options& chosen) {
  std::vector<std::string> words = chosen.host;
  // The plugin makes errors of the warnings that it shows. clang would make them of those that it hides, too.
  std::replace(words.begin(), words.end(), std::string("-Werror"),
               std::string("-fplugin-arg-cohort-warnings-host-error"));
  return words;
}

}  // namespace cohort
