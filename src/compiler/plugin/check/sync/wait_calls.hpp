// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of device code that wait for other threads, and numbers for their places in the source.
#pragma once

#include <cstdint>

#include "analysis/port_calls.hpp"

#include "llvm/IR/Instructions.h"

namespace cohort {

// The function that may suspend the thread, if the instruction calls one; else `none`.
port_call wait_of(const llvm::Instruction& instruction);

// A number for the place of a call in the source. It covers the calls that were inlined around it, so two calls of one
// helper differ, and the copies that an unrolled loop makes of one call are equal. Zero if the source is not known:
// the checker then takes the address of the call.
uint64_t number_of_call(const llvm::CallInst& call);

}  // namespace cohort
