// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Replaces each rendezvous of a warp whose resolve function is known (machine/cpu/port.hpp) by a call with the operands
// as values. Local variables that held them become registers.
void make_direct_calls(llvm::Function& kernel);

}  // namespace cohort
