// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of cohortcc as a table: names, value, effect and line of --help.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "options/options.hpp"

namespace cohort {

enum class takes {
  nothing,
  value,
  joined_value,   // `-Idir` as well as `-I dir` and `-I=dir`
  optional_value  // `--check` or `--check=race`
};

struct option_rule {
  std::vector<std::string> names;  // without the leading dashes; --help prints the first
  takes argument;
  std::string value_name;  // name of the value in --help
  std::function<void(options&, const std::string& value)> apply;
  std::string help;  // empty: not listed by --help
};

const std::vector<option_rule>& option_rules();

// A part of the table: options for an output or a step that cohortcc does not have. Each is an error with the reason.
std::vector<option_rule> refused_options();

// A part of the table: options without an effect, because what they request holds anyway, or exists only on a GPU.
// --verbose prints the note.
std::vector<option_rule> meaningless_options();

// A part of the table: nvcc's options about warnings.
std::vector<option_rule> warning_options();
// True if each name in `list`, as in "reorder,all-warnings", is a kind of warnings that nvcc's -Werror takes.
bool names_warning_kinds(const std::string& list);
// Makes errors of these kinds. pre: names_warning_kinds(list)
void add_warning_kinds(options& o, const std::string& list);

// True for an option of g++ that clang refuses and that changes no result: how g++ optimizes, prints its messages or
// describes code to debuggers. Build files that find g++ pass such options to nvcc's host compiler.
bool is_hint_for_gcc(const std::string& option);

}  // namespace cohort
