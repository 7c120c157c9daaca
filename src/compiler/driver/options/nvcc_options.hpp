// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of nvcc that are for GPU code only, or for programs that cohortcc does not run.
#pragma once

#include <vector>

#include "options/option_table.hpp"

namespace cohort {

// Options for an output or a step that cohortcc does not have. Each is an error with the reason.
std::vector<option_rule> refused_options();

// Options without an effect: what they request holds anyway, or exists only on a GPU. --verbose prints the note.
std::vector<option_rule> meaningless_options();

}  // namespace cohort
