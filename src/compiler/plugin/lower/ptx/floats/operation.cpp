// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/floats/operation.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {

std::optional<float_operation> parse_float_operation(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, '.');
  float_operation operation;
  operation.name = words.front();
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front()) {
    if (word == "ftz") {
      operation.flushes = true;
    } else if (word == "sat") {
      operation.saturates = true;
    } else if (word == "rz" || word == "rm" || word == "rp") {
      operation.rounding = word;
    } else if (word == "NaN") {
      operation.keeps_nan = true;
    } else if (word == "relu" && operation.name == "fma") {
      operation.stays_positive = true;
    } else if (word != "rn" && word != "approx" && word != "full") {
      return std::nullopt;
    }
  }
  return operation;
}

}  // namespace cohort
