// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.hpp"

#include <map>

#include "../../engine/report/source_place.hpp"
#include "../../engine/state/grid.hpp"

namespace cohort::check {

std::atomic<uint32_t> launch_ends{1};

namespace {

std::mutex mutex;
uint32_t last_number = 0;
struct launch_entry {
  launch_facts facts;
  const engine::session* session;
  uint32_t session_number;
};
auto& launches = *new std::map<uint32_t, launch_entry>;
auto& running = *new std::map<const engine::grid*, std::shared_ptr<launch_clock>>;

std::string title_of(const cohort_kernel& kernel, void** arguments) {
  // A plain C++ kernel: its address is the first argument.
  if (kernel.flags & 1) {
    const void* code = **static_cast<const void***>(static_cast<void*>(arguments));
    const auto places = engine::source_places({code});
    return places.at(code);
  }
  return engine::short_name(kernel.name);
}

launch_facts describe(const engine::grid& g) {
  launch_facts facts;
  facts.kernel = title_of(*g.launch->kernel, g.launch->arguments);
  for (int axis = 0; axis < 3; ++axis) {
    facts.grid[axis] = g.launch->grid[axis];
    facts.block[axis] = g.launch->block[axis];
  }
  return facts;
}

}  // namespace

std::shared_ptr<launch_clock> launch_of(const engine::grid& g) {
  const std::lock_guard lock(mutex);
  auto& clock = running[&g];
  if (clock) return clock;
  clock = std::make_shared<launch_clock>();
  clock->number = ++last_number;
  clock->grid = &g;
  clock->many_workers = g.workers > 1 || g.shared->grids.size() > 1;
  uint32_t session_number = clock->number;
  for (const auto& [other, its_clock] : running) {
    if (its_clock && other != &g && other->shared == g.shared) {
      clock->session = its_clock->session;
      session_number = launches.at(its_clock->number).session_number;
    }
  }
  if (!clock->session) clock->session = std::make_shared<session_clock>();
  launches[clock->number] = {describe(g), g.shared, session_number};
  return clock;
}

void end_launches(const engine::session& session) {
  std::vector<std::shared_ptr<launch_clock>> ended;
  {
    const std::lock_guard lock(mutex);
    for (auto at = running.begin(); at != running.end();) {
      if (at->first->shared != &session) {
        ++at;
        continue;
      }
      ended.push_back(at->second);
      at = running.erase(at);
    }
  }
  for (const auto& launch : ended) forget_blocks_of(*launch);
  launch_ends.fetch_add(1, std::memory_order_release);
}

bool launches_overlap(uint32_t earlier, uint32_t later) { return in_one_session(earlier, later); }

bool in_one_session(uint32_t a, uint32_t b) {
  const std::lock_guard lock(mutex);
  const auto first = launches.find(a), second = launches.find(b);
  return first != launches.end() && second != launches.end() &&
         first->second.session_number == second->second.session_number;
}

launch_facts facts_of_launch(uint32_t number) {
  const std::lock_guard lock(mutex);
  const auto found = launches.find(number);
  return found == launches.end() ? launch_facts{} : found->second.facts;
}

}  // namespace cohort::check
