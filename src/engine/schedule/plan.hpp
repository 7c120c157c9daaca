// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The setting COHORT_SCHEDULE: the order in which the threads of a launch run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/order.hpp"

namespace cohort::engine {

enum class plan_kind : uint8_t {
  seed,    // one order, by its seed
  file,    // one order, with the switches between threads that a file lists
  search,  // a run for each seed, up to one that differs; its order is shrunk
  shrink,  // the order of one seed is shrunk
};

struct plan {
  plan_kind kind = plan_kind::seed;
  uint64_t number = 0;    // the seed, or how many seeds a search tries; seed 0 is the engine's own order
  uint32_t depth = 0;     // depth of orders by priority: 1 + the number of preemptions; 0: the seed decides
  std::string file = {};  // the file to read; of a search: the one to write, empty for the usual name
  std::vector<order_switch> switches = {};  // the file's switches

  bool is_search() const { return kind == plan_kind::search || kind == plan_kind::shrink; }
  std::string text() const;
};

// Reads a plan, but not its file; empty if the text is none.
std::optional<plan> parse_plan(const char* text);
// The plan that COHORT_SCHEDULE sets; empty if it is not set. An invalid value ends the process.
std::optional<plan> read_plan();

// The plan of this process, read once with its file. Null: launches run in the engine's order, on all workers.
const plan* active_plan();

// A number below `count`, by the seed of active_plan(); 0 in the engine's own order. For choices outside of launches,
// such as the order of work that kernels have submitted.
uint32_t select_number(uint32_t count);

// Counts of the decisions of schedules. A search reads the counts of its runs.
struct schedule_counts {
  uint64_t choices;            // choices among several threads or blocks that could run
  uint64_t preemption_points;  // preemption points that threads have passed
};
// Counts into `shared`, which another process may map, in place of the process's own counts.
void count_in(schedule_counts& shared);
schedule_counts& counts();

}  // namespace cohort::engine
