// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort::engine {

// A sentence about a variable with the prefix COHORT_ that has no effect: a mistyped setting. It names the known
// variable with the most similar name. Empty: the variable is known.
std::string warn_of_variable(const std::string& name);

// Prints the sentence of warn_of_variable() on stderr for each unknown COHORT_* variable of the environment.
void warn_of_unknown_variables();

}  // namespace cohort::engine
