// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of clang's command line that concern warnings. Which warnings appear is a table of the plugin:
// src/compiler/plugin/frontend/warnings/nvcc_table.cpp.
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"

namespace cohort {

// For both passes over a CUDA source.
std::vector<std::string> cuda_warning_words(const options& chosen);

// For a C or C++ file.
std::vector<std::string> cpp_warning_words(const options& chosen);

// The options of -Xcompiler, for the host pass.
std::vector<std::string> host_compiler_words(const options& chosen);

}  // namespace cohort
