// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory accesses of device code, in the accesses that a GPU makes of them: aligned, of 1, 2, 4, 8 or 16 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include <cohort/machine/cpu/port/count/counter.hpp>

#include "llvm/IR/Instruction.h"

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace cohort {

struct lane_access {
  llvm::Instruction* before;  // the instruction that accesses the memory; the address is known before it
  llvm::Value* address;
  int64_t offset;  // bytes to add to the address
  uint32_t bytes;
  count::access_kind kind;
};

// Lists the memory accesses of a function in the order of its instructions. Accesses of local variables and arguments
// are left out: the machine code decides whether registers or the thread's stack hold them.
// `merges`: combines loads or stores of adjacent bytes into wide ones where their alignment is known.
std::vector<lane_access> lane_accesses(llvm::Function& function, bool merges);

}  // namespace cohort
