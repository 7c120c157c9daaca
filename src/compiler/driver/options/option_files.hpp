// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace cohort {

// Replaces `--options-file a,b`, `-optf a` and `@a` by the words of these files, also inside such files. CMake and make
// use them for command lines that are too long. Throws usage_error for a file that cannot be read.
std::vector<std::string> expand_option_files(const std::vector<std::string>& arguments);

// nvcc's environment variables: -ccbin with the value of NVCC_CCBIN, the words of NVCC_PREPEND_FLAGS, `arguments`, the
// words of NVCC_APPEND_FLAGS.
std::vector<std::string> with_nvcc_flags(const std::vector<std::string>& arguments);

}  // namespace cohort
