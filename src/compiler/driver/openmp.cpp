// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.hpp"

#include <algorithm>

namespace cohort {

bool uses_openmp(const options& chosen) {
  return std::any_of(chosen.host.begin(), chosen.host.end(),
                     [](const std::string& word) { return word == "-fopenmp" || word.rfind("-fopenmp=", 0) == 0; });
}

// Headers choose host functions by the macro, which nvcc defines in both passes. The value is that of g++ 12: with a
// higher one clang's <omp.h> has pragmas that need -fopenmp, which device code cannot have.
std::vector<std::string> openmp_device_words(const options& chosen) {
  if (!uses_openmp(chosen)) {
    return {};
  }
  return {"-D_OPENMP=201511", "-Wno-source-uses-openmp"};
}

}  // namespace cohort
