// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP in host code: -Xcompiler -fopenmp.
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"

namespace cohort {

bool uses_openmp(const options& chosen);

/// The words of the device pass in such a program.
std::vector<std::string> openmp_device_words(const options& chosen);

}  // namespace cohort
