// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/verdict.hpp"

#include "engine/report/text.hpp"

namespace cohort::engine {

namespace {

// Text after the name of a rank: its step, in a report of a process at step `mine`.
std::string describe_step(const world_record& r, world_step mine) {
  const detail::world_step_text text = detail::describe_world_step(r.step, mine);
  return text.before + (text.after ? number(r.value) + text.after : std::string());
}

bool is_failure(const world_record& r) { return r.step == world_step::failed || r.step == world_step::refused; }

}  // namespace

int64_t find_other_step(const exchange& e, const world_view& view) {
  const world_record mine = e.record_of(view.process);
  int64_t other = -1;
  for (uint32_t p = 0; p < view.processes; ++p) {
    const world_record r = e.record_of(p);
    if (p != view.process && is_failure(r)) return p;
    const bool alike = r.step == mine.step && (r.value == mine.value || mine.step == world_step::grid_size);
    if (!alike && other < 0) other = p;
  }
  // A failure of this process ends the launch too, so all processes reach one result.
  return other < 0 && is_failure(mine) ? view.process : other;
}

std::string rank_names(const world_view& view, uint32_t process) {
  const uint64_t first = uint64_t{process} * view.local_ranks;
  if (view.local_ranks == 1) return "rank " + number(first);
  return "ranks " + number(first) + "-" + number(first + view.local_ranks - 1);
}

std::string own_rank_names(const world_view& view) {
  return rank_names(view, view.process) + " of " + number(uint64_t{view.processes} * view.local_ranks);
}

std::string describe_steps(const exchange& e, const world_view& view, uint32_t other) {
  const world_record mine = e.record_of(view.process);
  if (other == view.process) return own_rank_names(view) + " " + describe_step(mine, mine.step);
  return own_rank_names(view) + " " + describe_step(mine, world_step::barrier) + ", but " + rank_names(view, other) +
         " " + describe_step(e.record_of(other), mine.step);
}

}  // namespace cohort::engine
