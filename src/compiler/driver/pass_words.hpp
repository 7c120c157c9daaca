// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of clang that one feature adds: warnings, OpenMP in host code (-Xcompiler -fopenmp), and coverage: gcov's
// (--coverage) and clang's own (-fprofile-instr-generate).
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

// Words about warnings, for both passes over a CUDA source. Which warnings appear is a table of the plugin:
// src/compiler/plugin/frontend/warnings/nvcc_table.cpp.
std::vector<std::string> cuda_warning_words(const options& chosen);

// Words about warnings, for a C or C++ file.
std::vector<std::string> cpp_warning_words(const options& chosen);

// The options of -Xcompiler, for the host pass.
std::vector<std::string> host_compiler_words(const options& chosen);

bool uses_openmp(const options& chosen);

// Arguments of the device pass in a program that uses OpenMP.
std::vector<std::string> openmp_device_words(const options& chosen);

enum class coverage_pass { cpp, host, device };

// The options of a pass of clang that count lines; none without such an option on the command line. gcov's files lie
// beside `object`, or beside the program where the objects are temporary files. The files of device code are named
// NAME.device.gcno and NAME.device.gcda, so both passes of a source have their own, and gcov's readers add them up.
std::vector<std::string> coverage_words(const options& chosen, const toolchain& tools, const input_file& input,
                                        const std::string& object, coverage_pass pass);
// The options of the link.
std::vector<std::string> coverage_link_words(const options& chosen);

}  // namespace cohort
