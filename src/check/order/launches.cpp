// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/launches.hpp"

#include <map>
#include <mutex>

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

std::atomic<uint32_t> launch_ends{1};

namespace {

std::mutex mutex;
auto& operations = *new std::map<const void*, std::shared_ptr<followed_operation>>;  // keys: launch_view::id()
auto& running = *new std::map<const void*, std::shared_ptr<launch_clock>>;           // keys: grid_view::id()

operation_facts describe(tools::grid_view g) {
  operation_facts facts;
  facts.plain_kernel = g.plain_kernel();
  if (!facts.plain_kernel) facts.kernel = g.kernel_title();
  for (int axis = 0; axis < 3; ++axis) {
    facts.grid[axis] = g.description().grid[axis];
    facts.block[axis] = g.description().block[axis];
  }
  return facts;
}

}  // namespace

void launch_clock::pass_proxy_fence(uint32_t block, uint32_t tick) {
  const std::lock_guard lock(mutex_);
  proxy_fences_[block] = tick;
}

bool launch_clock::is_proxy_fenced(uint32_t block, uint32_t tick) {
  const std::lock_guard lock(mutex_);
  const auto found = proxy_fences_.find(block);
  return found != proxy_fences_.end() && tick < found->second;
}

void begin_launch(tools::launch_view launch, std::shared_ptr<followed_operation> op) {
  const std::lock_guard lock(mutex);
  operations[launch.id()] = std::move(op);
}

std::shared_ptr<launch_clock> launch_of(tools::grid_view g) {
  const std::lock_guard lock(mutex);
  auto& clock = running[g.id()];
  if (clock) return clock;
  clock = std::make_shared<launch_clock>();
  clock->operation = operations.at(g.launch().id());
  clock->number = add_number(*clock->operation, describe(g));
  clock->acquired = clock->operation->launched_after;
  clock->grid = g;
  clock->many_workers = g.has_many_workers();
  for (const auto& [other, its_clock] : running) {
    if (its_clock && other != g.id() && its_clock->grid.launch() == g.launch()) clock->session = its_clock->session;
  }
  if (!clock->session) clock->session = std::make_shared<session_clock>();
  return clock;
}

std::vector<std::shared_ptr<launch_clock>> take_launch(tools::launch_view launch) {
  std::vector<std::shared_ptr<launch_clock>> taken;
  const std::lock_guard lock(mutex);
  const auto operation = operations.find(launch.id());
  if (operation->second->host_waits) wait_on_host(*operation->second);
  operations.erase(operation);
  for (auto at = running.begin(); at != running.end();) {
    if (at->second->grid.launch() != launch) {
      ++at;
      continue;
    }
    taken.push_back(at->second);
    at = running.erase(at);
  }
  return taken;
}

}  // namespace cohort::check
