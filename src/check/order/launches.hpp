// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches that run, and the clocks of their grids.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "check/memory/tool_ports.hpp"
#include "check/order/acquired_flags.hpp"
#include "check/order/operations.hpp"

namespace cohort::check {

// The grids of one launch, which may be on several devices.
struct session_clock {
  std::atomic<uint32_t> outer{1};
};

// One grid.
struct launch_clock {
  uint32_t number = 0;
  std::shared_ptr<followed_operation> operation;
  tools::grid_view grid;
  std::shared_ptr<session_clock> session;
  bool many_workers = false;
  std::atomic<uint32_t> grid_ordered_below{0};  // by `outer`, as in block_clock
  std::atomic<uint32_t> session_ordered_below{0};
  acquired_flags acquired;  // by all blocks, at barriers of the grid
};

// The clock of a grid that runs; made at its first use.
std::shared_ptr<launch_clock> launch_of(tools::grid_view g);

// A launch begins as part of `op`.
void begin_launch(tools::launch_view launch, std::shared_ptr<followed_operation> op);
// All grids of the launch have ended: removes their clocks and returns them.
std::vector<std::shared_ptr<launch_clock>> take_launch(tools::launch_view launch);

// Counts the ends of launches: a clock that was found before one may be gone.
extern std::atomic<uint32_t> launch_ends;

}  // namespace cohort::check
