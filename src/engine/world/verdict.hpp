// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the records of an exchange, and describes processes at different steps.
#pragma once

#include <cstdint>
#include <string>

#include "engine/world/exchange.hpp"

namespace cohort::engine {

// A process of an exchange, and the number of ranks of each process.
struct world_view {
  uint32_t process;
  uint32_t processes;
  uint32_t local_ranks;
};

// The process whose record best explains why the steps differ, or -1 if all steps and values are equal. A process that
// failed or was refused comes first. Values of grid_size may differ.
int64_t find_other_step(const exchange& e, const world_view& view);
// One sentence with the steps of this process and of process `other`.
std::string describe_steps(const exchange& e, const world_view& view, uint32_t other);
// For example "rank 2", or "ranks 4-7" if a process has several.
std::string rank_names(const world_view& view, uint32_t process);
// For example "rank 2 of 3" or "ranks 4-7 of 12".
std::string own_rank_names(const world_view& view);

}  // namespace cohort::engine
