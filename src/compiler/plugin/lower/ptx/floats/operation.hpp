// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opcode of floating-point arithmetic without its type.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"

namespace cohort {

struct float_operation {
  llvm::StringRef name;      // "add"
  llvm::StringRef rounding;  // rz, rm or rp; empty to nearest
  bool flushes = false;
  bool saturates = false;
  bool keeps_nan = false;       // min.NaN, max.NaN
  bool stays_positive = false;  // fma.relu
};

// Reads "add.rn.ftz.sat" or "sqrt.approx"; none if a word is unknown.
std::optional<float_operation> parse_float_operation(llvm::StringRef text);

}  // namespace cohort
