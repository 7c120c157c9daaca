// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches that run, and the clocks of their grids.
#pragma once

#include <cstdint>
#include <memory>

#include "../memory/tool_ports.hpp"
#include "clocks.hpp"

namespace cohort::check {

// The clock of a grid that runs; made at its first use.
std::shared_ptr<launch_clock> launch_of(tools::grid_view g);
void forget_blocks_of(const launch_clock& launch);

// A launch begins as part of `op`.
void begin_launch(tools::launch_view launch, std::shared_ptr<followed_operation> op);
// All grids of the launch have ended.
void end_launches(tools::launch_view launch);

// Counts the ends of launches: a clock that was found before one may be gone.
extern std::atomic<uint32_t> launch_ends;

}  // namespace cohort::check
