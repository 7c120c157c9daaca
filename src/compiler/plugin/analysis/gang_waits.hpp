// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of machine/cpu/port.hpp that one call serves for all lanes of a gang: the cohort_gang_wait_ functions.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"

namespace cohort {

enum class gang_wait {
  barrier,  // (): of the block, the cluster, the grid or the multi-grid
  vote,     // (predicate): of the block
  team      // (size, resolve, operand, op_name)
};

// The kind of the function `name`, also of its form for callers that preserve no registers.
std::optional<gang_wait> gang_wait_of(llvm::StringRef name);

}  // namespace cohort
