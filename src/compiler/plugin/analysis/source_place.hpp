// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "llvm/IR/DebugLoc.h"

namespace llvm {
class DILocation;
class Function;
}  // namespace llvm

namespace cohort {

// The place in the user's function, not in a header that was inlined into it. Null if `location` is unknown.
const llvm::DILocation* place_in_source(const llvm::DebugLoc& location);

// True for code of Cohort's headers and of its CUDA runtime's (docs/building.md), wherever these are installed. The
// compiler divides a path between folder and file name at any place, so the test joins the two.
bool is_in_headers(const llvm::DILocation& place);

// " (file:line)" of that place, or an empty text.
std::string source_place(const llvm::DebugLoc& location);

// The line where the function begins, for instructions that no line of the source stands for. Without debug
// information, no place.
llvm::DebugLoc start_of(const llvm::Function& function);

}  // namespace cohort
