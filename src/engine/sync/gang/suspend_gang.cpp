// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/gang/suspend_gang.hpp"

#include "engine/fiber/kernel_call.hpp"
#include "engine/state/grid.hpp"

namespace cohort::engine {

kernel_call gang_call(const gang& g) { return {g.entry, g.table->block->grid->launch->arguments, &g.shape}; }

bool start_fiber(worker& w, gang& g) {
  stack* s = w.stacks.take();
  if (!s) return false;
  start_kernel(g.runner, *s, gang_call(g));
  return true;
}

gang* next_gang(gang& self) {
  gang_table& table = *self.table;
  block& b = *table.block;
  if (b.warps_ready) table.collect_ready();
  if (!table.ready) {
    if (b.live == 0) return nullptr;
    table.publish();
    if (!block_barrier_is_full(b)) return nullptr;
    const acting_lane now(self);
    open_block_barrier(b);
    table.collect_ready();
  }
  return table.take_ready();
}

// The block's barrier stores no place. All calls up to here are tail calls, so the return address is the kernel's call.
__attribute__((noinline)) void change_gang() {
  gang* self = current_gang();
  const void* noted = self->place;
  if (!noted) self->place = __builtin_return_address(0);
  worker& mine = *self->table->block->worker;
  gang* next = next_gang(*self);
  if (next != self) {
    if (next && !next->runner.started() && !start_fiber(mine, *next)) {
      mine.failed = {error_memory_allocation, "no memory for the stack of one more thread"};
      give_up(mine);
    }
    cohort_current_thread = next;
    switch_to(self->runner, next ? next->runner : mine.home);
  }
  self->place = noted;
}

}  // namespace cohort::engine
