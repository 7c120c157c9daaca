// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's options about warnings. The plugin follows them: frontend/warnings in src/compiler/plugin.
#pragma once

#include "options/option_table.hpp"

namespace cohort {

std::vector<option_rule> warning_options();

// True if each name in `list`, as in "reorder,all-warnings", is a kind of warnings that nvcc's -Werror takes.
bool names_warning_kinds(const std::string& list);
void add_warning_kinds(options& o, const std::string& list);

}  // namespace cohort
