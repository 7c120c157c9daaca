// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment: variables, and the folder for temporary files.
#pragma once

#include <string>

namespace cohort::nvrtc {

// The value of a variable; empty if there is none, and in a process with more rights than its caller.
std::string environment_variable(const char* name);

// The folder that TMPDIR or its like names, or /tmp.
std::string temporary_root();

}  // namespace cohort::nvrtc
