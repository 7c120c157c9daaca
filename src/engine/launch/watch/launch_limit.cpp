// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/watch/launch_limit.hpp"

#include <mutex>
#include <variant>

#include "engine/report/call_stack.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

namespace {

// Lanes in an endless loop around a barrier switch to each other and never return to the home fiber. They raise an
// event in each turn. The listener is added only when a launch is over its limit, so that others pay nothing for it.
class limit_listener : public event_listener {
 public:
  void handle(const event& raised) override {
    if (std::holds_alternative<block_entered>(raised) || std::holds_alternative<block_left>(raised)) return;
    worker* const w = current_worker();
    const lane* const self = current_lane();
    // Without a lane, the home fiber runs: it tests the flag itself.
    if (!w || !self || w->resolving || w->failed.error) return;
    if (!w->grid->over_limit.load(std::memory_order_relaxed)) return;
    // A block barrier that has opened wrote to the warp; other waits write to the copy.
    if (running.warp && !std::holds_alternative<block_synchronised>(raised)) running.warp->ready = running.ready;
    w->failed = {};
    w->failed.error = error_launch_timeout;
    w->failed.place = self->place;
    if (!self->place) store_callers(0, w->failed);
    give_up(*w);
  }
};

}  // namespace

void end_at_next_wait(grid& g) {
  // Stays installed: later events cost a call each, in a program that has lost a launch already.
  static limit_listener listener;
  static std::once_flag once;
  std::call_once(once, [] { add_listener(listener); });
  g.over_limit.store(true, std::memory_order_relaxed);
  g.shared->announce();
}

}  // namespace cohort::engine
