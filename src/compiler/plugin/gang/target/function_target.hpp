// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectors of the CPU that a function is compiled for.
#pragma once

#include "gang/target/vector_target.hpp"

namespace llvm {
class Function;
}

namespace cohort {

vector_target target_of(const llvm::Function& function);

// Makes LLVM keep the longest vectors of the CPU in one register.
void state_vector_bits(llvm::Function& function);

}  // namespace cohort
