// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.hpp"

#include <map>

#include "../../engine/report/report.hpp"
#include "../../engine/state/grid.hpp"

namespace cohort::check {

std::atomic<uint32_t> launch_ends{1};

namespace {

std::mutex mutex;
auto& operations = *new std::map<const engine::session*, std::shared_ptr<followed_operation>>;
auto& running = *new std::map<const engine::grid*, std::shared_ptr<launch_clock>>;

operation_facts describe(const engine::grid& g) {
  operation_facts facts;
  facts.plain_kernel = engine::plain_kernel(g);
  if (!facts.plain_kernel) facts.kernel = engine::kernel_title(g);
  for (int axis = 0; axis < 3; ++axis) {
    facts.grid[axis] = g.launch->grid[axis];
    facts.block[axis] = g.launch->block[axis];
  }
  return facts;
}

}  // namespace

void begin_launch(const engine::session& session, std::shared_ptr<followed_operation> op) {
  const std::lock_guard lock(mutex);
  operations[&session] = std::move(op);
}

std::shared_ptr<launch_clock> launch_of(const engine::grid& g) {
  const std::lock_guard lock(mutex);
  auto& clock = running[&g];
  if (clock) return clock;
  clock = std::make_shared<launch_clock>();
  clock->operation = operations.at(g.shared);
  clock->number = add_number(*clock->operation, describe(g));
  clock->grid = &g;
  clock->many_workers = g.workers > 1 || g.shared->grids.size() > 1;
  for (const auto& [other, its_clock] : running) {
    if (its_clock && other != &g && other->shared == g.shared) clock->session = its_clock->session;
  }
  if (!clock->session) clock->session = std::make_shared<session_clock>();
  return clock;
}

void end_launches(const engine::session& session) {
  std::vector<std::shared_ptr<launch_clock>> ended;
  {
    const std::lock_guard lock(mutex);
    const auto operation = operations.find(&session);
    if (operation->second->host_waits) wait_on_host(*operation->second);
    operations.erase(operation);
    for (auto at = running.begin(); at != running.end();) {
      if (at->first->shared != &session) {
        ++at;
        continue;
      }
      ended.push_back(at->second);
      at = running.erase(at);
    }
  }
  for (const auto& launch : ended) {
    forget_blocks_of(*launch);
    end_number(launch->number);
  }
  launch_ends.fetch_add(1, std::memory_order_release);
}

}  // namespace cohort::check
