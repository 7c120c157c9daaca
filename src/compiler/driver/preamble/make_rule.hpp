// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of make, as clang's -MD writes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cohort {

// The words after the target of a rule, with make's escapes; nothing if the text is no rule for `target`.
std::optional<std::vector<std::string>> prerequisites(const std::string& rule, const std::string& target);

// The name of a file, without make's escapes.
std::string unescaped(const std::string& word);

// A rule with clang's line breaks.
std::string make_rule(const std::string& target, const std::vector<std::string>& words);

}  // namespace cohort
