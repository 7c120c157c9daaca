// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/ptx/statement.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// Clamps to the values of an integer type of fewer bits, or of the other sign; of any number of bits.
llvm::Value* clamp(llvm::IRBuilder<>& b, llvm::Value* value, bool is_signed, ptx_type to);

}  // namespace cohort
