// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A symbol that only the library of this version defines: a plain C++ program that mixes headers and library of two
// versions does not link, or does not start. The modules of CUDA sources carry their version instead.
#pragma once

#include "../../base/version.hpp"

#define COHORT_LIBRARY_NAME_(version) cohort_library_of_version_##version
#define COHORT_LIBRARY_NAME(version) COHORT_LIBRARY_NAME_(version)
#define COHORT_LIBRARY COHORT_LIBRARY_NAME(COHORT_VERSION)

extern "C" const char COHORT_LIBRARY;

namespace cohort {
namespace detail {

[[gnu::used]] inline const char* const library_of_this_version = &COHORT_LIBRARY;

}  // namespace detail
}  // namespace cohort
