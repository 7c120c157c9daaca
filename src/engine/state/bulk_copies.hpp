// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bulk copies of a block that have been started and are not executed: those of the bulk groups of each thread, and
// those for whose bytes an mbarrier of the block waits.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/bulk/bulk_copy.hpp"
#include "engine/state/copy_groups.hpp"

namespace cohort::engine {

struct block;

// A bulk copy, the place that started it, and the thread. `number`: no other copy of the process has it.
struct placed_copy {
  uint64_t number;
  bulk_copy copy;
  const void* place;
  const block* by;
  uint32_t thread;  // rank in the block `by`
};

// The bulk groups of a thread.
using bulk_groups = copy_groups<placed_copy>;

struct bulk_table {
  std::vector<bulk_groups> groups;   // indexed by thread rank
  std::vector<placed_copy> counted;  // copies whose bytes an mbarrier counts, in the order of the calls
};

}  // namespace cohort::engine
