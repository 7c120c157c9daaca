// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verdict.hpp"

#include "../report/text.hpp"

namespace cohort::engine {

namespace {

// Continues the name of a rank.
std::string describe_step(const world_record& r, const world_record& mine) {
  switch (r.step) {
    case world_step::open:
      return "opens a world with " + number(r.value) + " devices in each process (COHORT_DEVICES)";
    case world_step::grid_size:
      return "prepares a launch over the world";
    case world_step::allocation:
    case world_step::allocated:
      return "allocates " + number(r.value) + " bytes of symmetric memory";
    case world_step::release:
      return "frees symmetric memory, allocation " + number(r.value + 1);
    case world_step::launch:
      return mine.step == world_step::launch ? "launches another kernel, grid, block or shared memory"
                                             : "begins a launch over the world";
    case world_step::refused:
      return "cannot launch (error " + number(r.value) + ")";
    case world_step::barrier:
      return "waits at world_group.sync() or in a collective, barrier " + number(r.value) + " of the launch";
    case world_step::finished:
      return "has returned from the kernel with all threads";
    case world_step::failed:
      return "failed in the kernel (error " + number(r.value) + ")";
    case world_step::close:
      return "closes the world";
  }
  return "is at an unknown step: the processes run different versions of Cohort";
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
  // All processes come to the same result: a failure of this process ends the launch as well.
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
  if (other == view.process) return own_rank_names(view) + " " + describe_step(mine, mine);
  return own_rank_names(view) + " " + describe_step(mine, world_record{}) + ", but " + rank_names(view, other) + " " +
         describe_step(e.record_of(other), mine);
}

}  // namespace cohort::engine
