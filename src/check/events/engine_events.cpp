// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine_events.hpp"

#include <algorithm>
#include <variant>

#include "../../engine/state/block.hpp"
#include "../../engine/state/cluster.hpp"
#include "../../engine/state/grid.hpp"
#include "../../engine/sync/event.hpp"
#include "../detect/operation_access.hpp"
#include "../memory/shadow.hpp"
#include "../order/clocks.hpp"
#include "../order/launches.hpp"
#include "../report/findings.hpp"
#include "../sync/cluster_accesses.hpp"
#include "../sync/compare_waits.hpp"
#include "runtime_events.hpp"

namespace cohort::check {

namespace {

// All threads of the block know what happened in it, and what any of them has read from flags.
void after_block_barrier(block_clock& c) {
  c.known = ++c.tick;
  if (!c.threads) return;
  for (thread_clock& t : *c.threads) {
    acquire_pending(c.acquired, t.pending);
    acquire_pending(c.acquired, t.acquired);
    for (held_lock& lock : t.locks) {
      for (uint32_t& entered : lock.entered) entered = entered ? entered : c.tick;
    }
  }
}

void after_group_barrier(block_clock& c, uint32_t first, uint32_t end) {
  if (!c.threads) return;
  acquired_flags all;
  for (uint32_t i = first; i < end; ++i) {
    acquire_pending((*c.threads)[i].acquired, (*c.threads)[i].pending);
    add_acquired(all, (*c.threads)[i].acquired);
  }
  for (uint32_t i = first; i < end && !all.empty(); ++i) (*c.threads)[i].acquired = all;
}

void after_lane_barrier(block_clock& c, uint32_t warp, uint32_t lanes) {
  if (!c.threads) return;
  acquired_flags all;
  for (uint32_t left = lanes; left; left &= left - 1) {
    thread_clock& t = (*c.threads)[warp * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(left))];
    acquire_pending(t.acquired, t.pending);
    add_acquired(all, t.acquired);
  }
  if (all.empty()) return;
  for (uint32_t left = lanes; left; left &= left - 1) {
    (*c.threads)[warp * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(left))].acquired = all;
  }
}

void after_warp_barrier(block_clock& c, uint32_t warp, uint32_t lanes, uint32_t all) {
  warp_clock& w = c.warps[warp];
  const uint32_t now = ++c.tick;
  after_lane_barrier(c, warp, lanes);
  if (lanes == all) {
    w.known = now;
    return;
  }
  if (!w.rows) w.rows = std::make_unique<std::array<lane_ticks, lanes_per_warp>>();
  lane_ticks joined = {};
  for (uint32_t left = lanes; left; left &= left - 1) {
    const lane_ticks& row = (*w.rows)[static_cast<uint32_t>(__builtin_ctz(left))];
    for (uint32_t i = 0; i < lanes_per_warp; ++i) joined[i] = std::max(joined[i], row[i]);
  }
  for (uint32_t i = 0; i < lanes_per_warp; ++i) {
    if (lanes >> i & 1) joined[i] = now;
  }
  for (uint32_t left = lanes; left; left &= left - 1) (*w.rows)[static_cast<uint32_t>(__builtin_ctz(left))] = joined;
}

void after_tile_barrier(block_clock& c, uint32_t first, uint32_t threads) {
  uint32_t level = 0;
  while (level + 1 < tile_levels && (lanes_per_warp * 2u << level) < threads) ++level;
  c.tile_known[level][first >> (threads_of_warp + 1 + level)] = ++c.tick;
  after_group_barrier(c, first, first + threads);
}

// A named barrier orders as a flag does: a lane that arrives releases, and a lane that has waited acquires.
void arrive_named(const engine::named_barrier_reached& e) {
  const engine::block& b = *e.warp->block;
  block_clock* const c = find_clock(b);
  if (!c) return;  // no thread of the block has accessed anything
  const auto number = static_cast<uint32_t>(e.warp - b.warps);
  const accessor arriving{c, number * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(e.lanes))};
  release_flag(arriving, reinterpret_cast<uintptr_t>(e.barrier), scope::block, true, e.begins_phase);
}

void after_named_barrier(const engine::named_barrier_synchronised& e) {
  block_clock* const c = find_clock(*e.block);
  if (!c) return;
  for (uint32_t number = 0; number < e.block->warp_count; ++number) {
    for (uint32_t left = e.barrier->waiting[number]; left; left &= left - 1) {
      const accessor waiter{c, number * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(left))};
      acquire_flag(waiter, reinterpret_cast<uintptr_t>(e.barrier), scope::block, true);
    }
  }
}

void after_cluster_barrier(const engine::block& b) {
  compare_cluster(b);
  block_clock* const c = find_clock(b);
  if (!c) return;  // no thread of the cluster has accessed anything
  const uint32_t outer = c->launch->session->outer.fetch_add(1, std::memory_order_relaxed) + 1;
  acquired_flags all;
  const auto for_each_member = [&](auto&& use) {
    if (!b.cluster) return use(*c);
    for (const engine::block* member : b.cluster->blocks) {
      if (block_clock* const clock = find_clock(*member)) use(*clock);
    }
  };
  for_each_member([&](block_clock& member) {
    after_block_barrier(member);
    member.outer = member.cluster_known = outer;
    member.cluster_accesses.clear();
    add_acquired(all, member.acquired);
  });
  for_each_member([&](block_clock& member) { member.acquired = all; });
}

void after_grid_barrier_of(block_clock& c, uint32_t outer) {
  after_block_barrier(c);
  c.outer = c.grid_known = outer;
  c.cluster_accesses.clear();
  add_acquired(c.launch->acquired, c.acquired);
  c.acquired.clear();
}

void after_session_barrier_of(block_clock& c, uint32_t outer) {
  after_grid_barrier_of(c, outer);
  c.session_known = outer;
}

void after_grid_barrier(const engine::grid& g, bool all_grids) {
  compare_grid(g, all_grids ? wait_kind::multi_grid : wait_kind::grid);
  const auto launch = launch_of(g);
  const uint32_t outer = launch->session->outer.fetch_add(1, std::memory_order_relaxed) + 1;
  launch->grid_known.store(outer, std::memory_order_relaxed);
  if (all_grids) launch->session_known.store(outer, std::memory_order_relaxed);
  for_each_clock(
      g, [&](block_clock& c) { all_grids ? after_session_barrier_of(c, outer) : after_grid_barrier_of(c, outer); });
}

// Another cluster gets the scratch memory next, so its shadow is cleared. Until the last block of a cluster ends, the
// other blocks may still read the scratch memory of a block that ended.
void forget_scratch(const engine::block& ended) {
  const auto forget = [](const engine::block& b) {
    if (b.scratch.is_used()) forget_range(b.scratch.get(), sizeof(engine::cluster_scratch));
  };
  if (!ended.cluster) return forget(ended);
  if (ended.cluster->live > 1) return;
  for (const engine::block* const member : ended.cluster->blocks) forget(*member);
}

void follow(const engine::launch_begun& e) {
  if (running_launches.fetch_add(1) != 0) operations_meet.store(true);
  begin_launch(*e.launch, operation_of_launch());
}
void follow(const engine::launch_ended& e) {
  running_launches.fetch_sub(1);
  end_launches(*e.launch);
  if (const int error = report_findings()) e.launch->fail(error);
}
void follow(const engine::share_ended&) {}

void follow(const engine::block_entered&) {}
void follow(const engine::block_left&) {}
void follow(const engine::block_ended& e) {
  forget_scratch(*e.block);
  if (block_clock* const ended = find_clock(*e.block)) {
    end_block(*ended);
    report_cluster_accesses(*ended);
  }
  drop_clock(*e.block);
}

void follow(const engine::lanes_synchronised& e) {
  const engine::block& b = *e.warp->block;
  block_clock* const c = find_clock(b);
  if (!c) return;
  const auto number = static_cast<uint32_t>(e.warp - b.warps);
  compare_lanes(*c, number, e.lanes, false);
  const uint32_t threads = b.threads_total - number * lanes_per_warp;
  after_warp_barrier(*c, number, e.lanes, threads >= lanes_per_warp ? ~0u : (1u << threads) - 1);
}
void follow(const engine::lanes_exchanged& e) {
  const engine::block& b = *e.warp->block;
  if (block_clock* const c = find_clock(b)) compare_lanes(*c, static_cast<uint32_t>(e.warp - b.warps), e.lanes, true);
}
void follow(const engine::phase_passed&) {}

void follow(const engine::tile_synchronised& e) {
  block_clock* const c = find_clock(*e.block);
  if (!c) return;
  compare_waits(*c, wait_kind::tile, e.first_thread, e.first_thread + e.threads);
  after_tile_barrier(*c, e.first_thread, e.threads);
}
void follow(const engine::block_synchronised& e) {
  block_clock* const c = find_clock(*e.block);
  if (!c) return;
  compare_waits(*c, wait_kind::block, 0, e.block->threads_total);
  after_block_barrier(*c);
}
void follow(const engine::cluster_synchronised& e) { after_cluster_barrier(*e.block); }
void follow(const engine::grid_synchronised& e) { after_grid_barrier(*e.block->grid, false); }
void follow(const engine::multi_grid_synchronised& e) {
  for (const engine::grid* g : e.launch->grids) after_grid_barrier(*g, true);
}

void follow(const engine::named_barrier_reached& e) { arrive_named(e); }
void follow(const engine::named_barrier_synchronised& e) { after_named_barrier(e); }

class follower : public engine::event_listener {
 public:
  void handle(const engine::event& raised) override {
    std::visit([](const auto& e) { follow(e); }, raised);
  }
};

}  // namespace

void follow_engine() { engine::add_listener(*new follower); }

}  // namespace cohort::check
