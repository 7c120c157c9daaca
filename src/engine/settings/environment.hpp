// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of the process. No other file of the engine reads it.
#pragma once

#include <string>
#include <vector>

namespace cohort::engine {

// True if the process has more rights than its caller, for example as a set-user-ID program (AT_SECURE of the auxiliary
// vector). Its caller chose the environment, so the other functions ignore it.
bool has_more_rights_than_caller();

// The value of a variable. Null: it is not set, or it is empty.
const char* environment_variable(const char* name);

// The names of the variables that begin with `prefix`, in the order of the environment.
std::vector<std::string> variables_with_prefix(const char* prefix);

}  // namespace cohort::engine
