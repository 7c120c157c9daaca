// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets that have an instruction.
#pragma once

#include <string>

#include "lower/ptx/isa/decode.hpp"

namespace cohort::ptx {

// The value of -arch: 90 and 'a' for sm_90a.
struct target {
  unsigned architecture = 0;  // 0: unknown, which permits all instructions
  char features = '\0';       // 'a' or 'f': the target has the features of this architecture, or of its family
};

// Why the target lacks the instruction, or "".
std::string refused_target(const instruction& instruction, const target& target);

}  // namespace cohort::ptx
