// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running launches and the clocks of their grids.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "check/memory/tool_ports.hpp"
#include "check/order/acquired_flags.hpp"
#include "check/order/operations.hpp"

namespace cohort::check {

// The clock of a launch, whose grids may be on several devices.
struct session_clock {
  std::atomic<uint32_t> outer{1};
};

// The clock of one grid.
struct launch_clock {
  uint32_t number = 0;
  std::shared_ptr<followed_operation> operation;
  tools::grid_view grid;
  std::shared_ptr<session_clock> session;
  bool many_workers = false;
  std::atomic<uint32_t> grid_ordered_below{0};  // accesses with a smaller `outer` happen before the grid's next ones
  std::atomic<uint32_t> session_ordered_below{0};
  acquired_flags acquired;  // flags that barriers of the grid have passed to all blocks

  void pass_proxy_fence(uint32_t block, uint32_t tick);
  // Whether a thread of the block has executed fence.proxy.async after the tick.
  bool is_proxy_fenced(uint32_t block, uint32_t tick);

 private:
  std::mutex mutex_;
  std::unordered_map<uint32_t, uint32_t> proxy_fences_;  // the tick of each block's latest fence; key: its rank
};

// Returns the clock of a running grid. The first call makes it.
std::shared_ptr<launch_clock> launch_of(tools::grid_view g);

// Begins a launch as part of `op`.
void begin_launch(tools::launch_view launch, std::shared_ptr<followed_operation> op);
// Removes the clocks of the launch's grids and returns them. pre: all grids of the launch have ended
std::vector<std::shared_ptr<launch_clock>> take_launch(tools::launch_view launch);

// Number of launches that ended: a clock that was found at an earlier count may have been destroyed.
extern std::atomic<uint32_t> launch_ends;

}  // namespace cohort::check
