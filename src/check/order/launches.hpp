// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches of the process, by number, and which of them may overlap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "clocks.hpp"

namespace cohort::engine {
struct session;
}

namespace cohort::check {

// The clock of a grid that runs; made at its first use.
std::shared_ptr<launch_clock> launch_of(const engine::grid& g);
void forget_blocks_of(const launch_clock& launch);

// Whether neither of two launches is ordered before the other.
bool launches_overlap(uint32_t earlier, uint32_t later);
bool in_one_session(uint32_t a, uint32_t b);
// All grids of the session have ended.
void end_launches(const engine::session& session);

// The facts of a launch that a report prints.
struct launch_facts {
  std::string kernel;
  uint32_t grid[3] = {}, block[3] = {};
};
launch_facts facts_of_launch(uint32_t number);

// Counts the ends of launches: a clock that was found before one may be gone.
extern std::atomic<uint32_t> launch_ends;

}  // namespace cohort::check
