// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One version of a kernel for gangs. A row version runs gangs whose lanes are neighbours in x and all exist; a version
// for any shape computes the index of each lane and masks lanes beyond the block.
#pragma once

#include <optional>
#include <string>

#include "gang/widen/widener.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace cohort {

struct gang_version {
  llvm::Function* function = nullptr;  // null: refused
  std::string refusal;
  widening_notes notes;
};

// `without_assertions`: for a kernel with assertions that waits, the structured copy in which none fails. The version
// is refused if lanes of that one miss a barrier: in the kernel's own, only lanes that have failed do, or have
// returned.

// Rows: void(ptr arguments, i32 x, i32 y, i32 z) with the index of lane 0. Its launches have blockDim.x % width == 0,
// or blockDim.x == width for a `whole_row`, and at most `largest_row_grid` threads in x.
gang_version make_row_version(const llvm::Function& structured, unsigned width, llvm::StringRef name,
                              llvm::FunctionAnalysisManager& functions, bool whole_row = false,
                              const llvm::Function* without_assertions = nullptr);
constexpr uint64_t largest_row_grid = uint64_t{1} << 27;

// Puts into the code what the condition on a row version's launches promises.
void state_launch_condition(llvm::Function& function, unsigned width, bool whole_row = false);

// Any shape: void(ptr arguments, i32 first_rank, i32 lanes).
gang_version make_any_version(const llvm::Function& structured, unsigned width, llvm::StringRef name,
                              llvm::FunctionAnalysisManager& functions,
                              const llvm::Function* without_assertions = nullptr);

}  // namespace cohort
