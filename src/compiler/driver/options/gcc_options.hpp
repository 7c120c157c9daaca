// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort {

// True for an option of g++ that clang refuses and that changes no result: how g++ optimizes, prints its messages or
// describes code to debuggers. Build files that find g++ pass such options to nvcc's host compiler.
bool is_hint_for_gcc(const std::string& option);

}  // namespace cohort
