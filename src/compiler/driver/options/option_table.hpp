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

}  // namespace cohort
