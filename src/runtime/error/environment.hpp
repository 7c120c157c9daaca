// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's own environment variables, for which Cohort has no settings. No other file of the runtime reads the
// environment.
#pragma once

#include "runtime/error/core_dump.hpp"

namespace cohort::runtime {

// The value of a variable. Null: it is not set, it is empty, or the process has more rights than its caller.
const char* environment_variable(const char* name);

// The settings of core dumps by CUDA's variables, with CUDA's defaults for those that are not set.
core_dump_settings settings_of_environment();

}  // namespace cohort::runtime
