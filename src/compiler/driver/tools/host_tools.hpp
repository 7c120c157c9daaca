// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "options/options.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

// After a failed command: prints an error if the parts of g++ that clang needs are missing. These are the headers of
// the C++ standard library and of the C library, and the linker.
void explain_missing_host_tools(const toolchain& tools);
// After a failed link: prints an error if the runtime library of clang that it needs is missing.
void explain_missing_openmp(const toolchain& tools);    // -fopenmp
void explain_missing_counters(const toolchain& tools);  // --coverage, -fprofile-instr-generate

// If -Xcompiler holds a question such as --version, clang answers it on the standard output, and nothing is compiled:
// build files identify the host compiler of nvcc in this way. Returns clang's exit status, or nothing without a
// question.
std::optional<int> answer_host_question(const options& chosen, const toolchain& tools);

}  // namespace cohort
