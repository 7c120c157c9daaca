// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One version of a kernel for gangs. A row version runs gangs whose lanes are neighbours in x and all exist; a version
// for any block computes the index of each lane and masks lanes beyond the block.
#pragma once

#include <string>

#include "gang/structure/gang_function.hpp"
#include "gang/widen/widener.hpp"

#include "llvm/ADT/StringRef.h"

namespace cohort {

// The source of all versions of a kernel.
struct version_source {
  const llvm::Function& structured;
  // For a kernel with assertions that waits, the structured copy in which none fails, else null. A version is refused
  // if lanes of the copy's version miss a barrier: in the kernel's own, only lanes that have failed do, or have
  // returned.
  const llvm::Function* without_assertions;
  llvm::StringRef name;  // the kernel's name
  llvm::FunctionAnalysisManager& functions;
};

struct gang_version {
  gang_function function;  // null if the version is refused
  std::string refusal;
  widening_notes notes;
};

// void(ptr arguments, i32 x, i32 y, i32 z) with the index of lane 0, for launches that meet the launch condition.
gang_version make_row_version(const version_source& source, unsigned width, bool whole_row = false);

// void(ptr arguments, i32 first_rank, i32 lanes).
gang_version make_any_version(const version_source& source, unsigned width);

}  // namespace cohort
