// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much stack a function for gangs needs.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Bytes of local variables: in a kernel, those of one lane.
uint64_t local_bytes(const llvm::Function& function);

// An upper estimate: local variables, twice the vectors that live at one point of the function, and what the functions
// that it calls need.
uint64_t frame_bytes(llvm::Function& function);

}  // namespace cohort
