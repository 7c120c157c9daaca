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
  llvm::Instruction* before;  // the access is accessed here; its address is computed before
  llvm::Value* address;
  int64_t offset;  // bytes to add to the address
  uint32_t bytes;
  count::access_kind kind;
};

// The accesses of all accesses of the function, in the order of its instructions. Accesses of local variables and of
// arguments are left out: registers hold them, or a memory of the thread that depends on the machine code.
// `merges`: loads or stores of adjacent bytes are wide ones where their alignment is known.
std::vector<lane_access> lane_accesses(llvm::Function& function, bool merges);

}  // namespace cohort
