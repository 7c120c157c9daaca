// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/withdraw.hpp"

#include "engine/sync/bulk_copies.hpp"
#include "engine/sync/named_barrier.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/rendezvous.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/team.hpp"
#include "engine/sync/warpgroup.hpp"

namespace cohort::engine {

lane* withdraw(lane* self) {
  warp* w = self->warp;
  block* b = w->block;
  if (b->copies.is_used()) (*b->copies)[self->thread_rank].make_all(make_late_copy);
  end_bulk_groups(*b, self->thread_rank);
  if (b->warpgroups.is_used() && w->live == self->bit()) {
    end_warps_of_products(*b, self->thread_rank / lanes_per_warp, 1);
  }
  w->live &= ~self->bit();
  stop_running_warp();
  self->fiber->registers->clear();
  --b->live;
  b->worker->advance();
  if (b->live && w->open) complete_ready_rendezvous(*w);
  if (b->splits.is_used()) withdraw_arrivals(*b, *w, self->bit());
  if (b->teams.is_used()) leave_teams(*b, *self);  // before send_ready_arrivals(), which may complete a collective
  if (b->named.is_used()) leave_named(*b, *self);
  if (b->live) send_ready_arrivals(*b);
  return next_lane(w);
}

}  // namespace cohort::engine
