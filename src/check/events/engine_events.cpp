// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/events/engine_events.hpp"

#include <algorithm>
#include <variant>

#include "check/detect/bulk_access.hpp"
#include "check/detect/operation_access.hpp"
#include "check/detect/product_access.hpp"
#include "check/detect/proxy_fences.hpp"
#include "check/detect/thread_access.hpp"
#include "check/events/runtime_events.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/order/copies_in_flight.hpp"
#include "check/order/flags.hpp"
#include "check/order/launches.hpp"
#include "check/report/findings.hpp"
#include "check/sync/cluster_accesses.hpp"
#include "check/sync/compare_waits.hpp"

namespace cohort::check {

namespace {

// Orders all earlier accesses of the block, and all that its threads have acquired from flags, before what its threads
// do next.
void after_block_barrier(block_clock& c) {
  c.ordered_below = ++c.tick;
  if (!c.has_async_copies) c.own_records_ordered_below = record_ring::instance().next_number();
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
    w.ordered_below = now;
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
  c.tile_ordered_below[level][first >> (threads_of_warp + 1 + level)] = ++c.tick;
  after_group_barrier(c, first, first + threads);
}

// A named barrier orders like a flag: an arriving lane releases, and a lane that has waited acquires.
void arrive_named(const tools::named_barrier_reached& e) {
  const tools::lanes_view lanes = tools::lanes_of(e);
  block_clock* const c = find_clock(lanes.block());
  if (!c) return;  // no thread of the block has accessed anything
  const accessor arriving{c, lanes.warp() * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(lanes.mask()))};
  release_flag(arriving, reinterpret_cast<uintptr_t>(e.barrier), scope::block, true, e.begins_phase);
}

void after_named_barrier(const tools::named_barrier_synchronised& e) {
  const tools::block_view b = e.block;
  block_clock* const c = find_clock(b);
  if (!c) return;
  for (uint32_t warp = 0; warp < b.warps(); ++warp) {
    for (uint32_t left = tools::waiting_lanes(e, warp); left; left &= left - 1) {
      const accessor waiter{c, warp * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(left))};
      acquire_flag(waiter, reinterpret_cast<uintptr_t>(e.barrier), scope::block, true);
    }
  }
}

void after_cluster_barrier(tools::block_view b) {
  compare_cluster(b);
  block_clock* const c = find_clock(b);
  if (!c) return;  // no thread of the cluster has accessed anything
  const uint32_t outer = c->launch->session->outer.fetch_add(1, std::memory_order_relaxed) + 1;
  acquired_flags all;
  const auto for_each_member = [&](auto&& use) {
    for (const tools::block_view member : b.cluster()) {
      if (block_clock* const clock = find_clock(member)) use(*clock);
    }
  };
  for_each_member([&](block_clock& member) {
    after_block_barrier(member);
    member.outer = member.cluster_ordered_below = outer;
    member.cluster_accesses.clear();
    add_acquired(all, member.acquired);
  });
  for_each_member([&](block_clock& member) { member.acquired = all; });
}

void after_grid_barrier_of(block_clock& c, uint32_t outer) {
  after_block_barrier(c);
  c.outer = c.grid_ordered_below = outer;
  c.cluster_accesses.clear();
  add_acquired(c.launch->acquired, c.acquired);
  c.acquired.clear();
}

void after_session_barrier_of(block_clock& c, uint32_t outer) {
  after_grid_barrier_of(c, outer);
  c.session_ordered_below = outer;
}

void after_grid_barrier(tools::grid_view g, bool all_grids) {
  compare_grid(g, all_grids ? wait_kind::multi_grid : wait_kind::grid);
  const auto launch = launch_of(g);
  const uint32_t outer = launch->session->outer.fetch_add(1, std::memory_order_relaxed) + 1;
  launch->grid_ordered_below.store(outer, std::memory_order_relaxed);
  if (all_grids) launch->session_ordered_below.store(outer, std::memory_order_relaxed);
  for_each_clock(
      g, [&](block_clock& c) { all_grids ? after_session_barrier_of(c, outer) : after_grid_barrier_of(c, outer); });
}

// Another cluster gets the scratch memory next, so its shadow is cleared. Until the last block of a cluster ends, the
// other blocks may still read the scratch memory of a block that ended.
void clear_exchanges(tools::block_view ended) {
  const auto forget = [](tools::block_view b) {
    if (!b.uses_exchange_of_cluster()) return;
    const tools::memory_span memory = b.exchange_of_cluster();
    clear_range(memory.data(), memory.size());
  };
  if (!ended.has_cluster()) return forget(ended);
  if (ended.cluster().live_blocks() > 1) return;
  for (const tools::block_view member : ended.cluster()) forget(member);
}

void follow(const tools::launch_begun& e) {
  if (running_launches.fetch_add(1) != 0) note_overlap();
  begin_launch(e.launch, operation_of_launch());
}
void follow(const tools::launch_ended& e) {
  const tools::launch_view launch = e.launch;
  running_launches.fetch_sub(1);
  end_launches(launch);
  if (const int error = report_findings()) launch.fail(error);
}
void follow(const tools::share_ended&) {}

void follow(const tools::block_entered&) {}
void follow(const tools::block_left&) {}
void follow(const tools::block_ended& e) {
  clear_exchanges(e.block);
  if (block_clock* const ended = find_clock(e.block)) {
    end_block(*ended);
    copies_in_flight::instance().end_block(ended->launch->number, ended->rank, [&](const uint64_t* mbarrier) {
      return ended->block.holds_shared(mbarrier);
    });
    report_cluster_accesses(*ended);
  }
  drop_clock(e.block);
}

void follow(const tools::lanes_synchronised& e) {
  const tools::lanes_view lanes = tools::lanes_of(e);
  block_clock* const c = find_clock(lanes.block());
  if (!c) return;
  compare_lanes(*c, lanes.warp(), lanes.mask(), false);
  const uint32_t threads = lanes.block().threads() - lanes.warp() * lanes_per_warp;
  after_warp_barrier(*c, lanes.warp(), lanes.mask(), threads >= lanes_per_warp ? ~0u : (1u << threads) - 1);
}
void follow(const tools::lanes_exchanged& e) {
  const tools::lanes_view lanes = tools::lanes_of(e);
  if (block_clock* const c = find_clock(lanes.block())) compare_lanes(*c, lanes.warp(), lanes.mask(), true);
}
void follow(const tools::phase_passed&) {}

void follow(const tools::tile_synchronised& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;
  compare_waits(*c, wait_kind::tile, e.first_thread, e.first_thread + e.threads);
  after_tile_barrier(*c, e.first_thread, e.threads);
}
void follow(const tools::block_synchronised& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;
  compare_waits(*c, wait_kind::block, 0, c->block.threads());
  after_block_barrier(*c);
}
void follow(const tools::cluster_synchronised& e) { after_cluster_barrier(e.block); }
void follow(const tools::grid_synchronised& e) { after_grid_barrier(tools::block_view(e.block).grid(), false); }
void follow(const tools::multi_grid_synchronised& e) {
  for (const tools::grid_view g : tools::launch_view(e.launch).grids()) after_grid_barrier(g, true);
}

void follow(const tools::named_barrier_reached& e) { arrive_named(e); }
void follow(const tools::named_barrier_synchronised& e) { after_named_barrier(e); }

void follow(const tools::bulk_started& e) { start_bulk_copy(e); }
void follow(const tools::bulk_source_read& e) { end_bulk_read(e); }
void follow(const tools::bulk_executed& e) { end_bulk_copy(e); }
void follow(const tools::bulk_completed_phase& e) { complete_phase(e); }

void follow(const tools::product_started& e) { start_product(e); }
void follow(const tools::product_executed& e) { end_product(e); }
void follow(const tools::proxy_fenced& e) { pass_proxy_fence(e); }

class follower : public tools::event_listener {
 public:
  void handle(const tools::event& raised) override {
    std::visit([](const auto& e) { follow(e); }, raised);
  }
};

}  // namespace

void follow_engine() { tools::add_listener(*new follower); }

}  // namespace cohort::check
