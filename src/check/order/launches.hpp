// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches that run, and the clocks of their grids.
#pragma once

#include <cstdint>
#include <memory>

#include "clocks.hpp"

namespace cohort::engine {
struct session;
}

namespace cohort::check {

// The clock of a grid that runs; made at its first use.
std::shared_ptr<launch_clock> launch_of(const engine::grid& g);
void forget_blocks_of(const launch_clock& launch);

// A launch begins as part of `op`.
void begin_launch(const engine::session& session, std::shared_ptr<followed_operation> op);
// All grids of the session have ended.
void end_launches(const engine::session& session);

// Counts the ends of launches: a clock that was found before one may be gone.
extern std::atomic<uint32_t> launch_ends;

}  // namespace cohort::check
