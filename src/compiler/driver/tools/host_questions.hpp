// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "options/options.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

// If -Xcompiler holds a question such as --version, clang answers it on the standard output, and nothing is compiled:
// build files learn the host compiler of nvcc so. Returns clang's exit status, or nothing without a question.
std::optional<int> answer_host_question(const options& chosen, const toolchain& tools);

}  // namespace cohort
