// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/toolchain.hpp"

namespace cohort {

// After a failed command: prints an error if the parts of g++ that clang needs are missing. These are the headers of
// the C++ standard library and of the C library, and the linker.
void explain_missing_host_tools(const toolchain& tools);
// After a failed link: prints an error if the runtime library of clang that it needs is missing.
void explain_missing_openmp(const toolchain& tools);    // -fopenmp
void explain_missing_counters(const toolchain& tools);  // --coverage, -fprofile-instr-generate

}  // namespace cohort
