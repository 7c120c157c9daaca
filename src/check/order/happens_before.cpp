// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/happens_before.hpp"

#include <algorithm>
#include <iterator>

#include "check/memory/tool_ports.hpp"
#include "check/order/flags.hpp"
#include "check/order/operations.hpp"

namespace cohort::check {

namespace {

bool has_clusters(tools::block_view b) {
  const uint32_t* const dim = b.cluster_dim();
  return dim[0] * dim[1] * dim[2] > 1;
}

bool any_happens_before_lane(const warp_clock& w, uint32_t lane, uint32_t node, uint32_t tick) {
  for (uint32_t left = lanes_of(node); left; left &= left - 1) {
    const auto other = static_cast<uint32_t>(__builtin_ctz(left));
    if (other == lane || tick < (*w.rows)[lane][other]) return true;
  }
  return false;
}

// Whether the accesses of the lanes of `node` at `tick` happen before what `lane` does now.
bool happens_before_lane(const warp_clock& w, uint32_t lane, uint32_t node, uint32_t tick) {
  if (tick < w.ordered_below) return true;
  if (!w.rows) return false;
  if (is_lane(node)) return tick < (*w.rows)[lane][node - lanes_per_warp];
  // A node may cover lanes without an access, but each of its halves covers a lane with one.
  return any_happens_before_lane(w, lane, 2 * node, tick) && any_happens_before_lane(w, lane, 2 * node + 1, tick);
}

bool is_ordered_in_block(const record& a, uint32_t node, const accessor& c) {
  const block_clock& b = *c.block;
  if (a.tick < b.ordered_below) return true;
  if (a.extent == threads_of_warp && a.first_thread / lanes_per_warp == c.warp()) {
    if (is_lane(node) && node - lanes_per_warp == c.lane()) {
      return true;
    }
    if (happens_before_lane(b.warps[c.warp()], c.lane(), node, a.tick)) return true;
  }
  for (uint32_t level = 0; level < tile_levels; ++level) {
    const uint8_t extent = static_cast<uint8_t>(threads_of_warp + 1 + level);
    if (a.extent > extent || first_of(a.first_thread, extent) != first_of(c.thread, extent)) continue;
    const uint32_t tile = c.thread >> extent;
    if (a.tick < b.tile_ordered_below[level][tile]) return true;
  }
  return flags_order(a, node, c);
}

// comes_before() for launches. Happens-before never ends, so this OS thread caches positive answers.
bool was_before(uint32_t earlier, const launch_clock& later) {
  struct answer {
    uint32_t earlier, later;
  };
  static thread_local answer known[16];
  answer& last = known[earlier % std::size(known)];
  if (last.earlier == earlier && last.later == later.number) return true;
  if (!comes_before(earlier, later.operation.get())) return false;
  last = {earlier, later.number};
  return true;
}

}  // namespace

bool happens_before(const record& a, uint32_t node, const accessor& c) {
  const block_clock& b = *c.block;
  if (a.launch != b.launch->number) {
    if (was_before(a.launch, *b.launch)) return true;
    if (in_one_launch(a.launch, b.launch->number)) return a.outer < b.session_ordered_below;
    return flags_order(a, node, c);
  }
  if (a.flags & is_async_copy) return false;  // a copy without a wait: the wait would have replaced this record
  if (a.extent <= threads_of_block && a.block == b.rank) return is_ordered_in_block(a, node, c);
  if (a.outer < b.grid_ordered_below || a.outer < b.session_ordered_below) return true;
  if (a.outer < b.cluster_ordered_below && a.extent != threads_of_grid &&
      cluster_of_rank(b.block, a.block) == b.cluster) {
    return true;
  }
  return flags_order(a, node, c);
}

bool happens_before_block(const record& a, const block_clock& b) {
  if (a.launch != b.launch->number) {
    return was_before(a.launch, *b.launch) ||
           (in_one_launch(a.launch, b.launch->number) && a.outer < b.session_ordered_below);
  }
  if (a.flags & is_async_copy) return false;
  if (a.extent <= threads_of_block && a.block == b.rank) return a.tick < b.ordered_below;
  return a.outer < b.grid_ordered_below || a.outer < b.session_ordered_below;
}

bool is_past(const record& a, const block_clock& b) {
  if (a.launch != b.launch->number) {
    return was_before(a.launch, *b.launch) && is_past(a.launch, b.launch->operation.get());
  }
  return !(a.flags & is_async_copy) && (a.outer < b.grid_ordered_below || a.outer < b.session_ordered_below);
}

bool prove_happens_before(block_clock& b, uint32_t number) {
  record a;
  if (!record_ring::instance().read(number, &a)) return true;
  if (a.extent == several_accesses || !happens_before_block(a, b)) return false;
  // split_mark has the last number, which must not be cached as ordered.
  if (number != record_ring::last_number) b.ordered[number % block_clock::known_records] = number;
  return true;
}

uint8_t common_extent(const record& a, const accessor& c) {
  const block_clock& b = *c.block;
  if (a.launch != b.launch->number) return threads_of_grid + 1;
  if (a.extent == threads_of_grid) return threads_of_grid;
  if (a.block == b.rank && a.extent <= threads_of_block) {
    uint8_t extent = std::max(a.extent, threads_of_warp);
    while (first_of(a.first_thread, extent) != first_of(c.thread, extent)) ++extent;
    return extent;
  }
  return has_clusters(b.block) && cluster_of_rank(b.block, a.block) == b.cluster ? threads_of_cluster : threads_of_grid;
}

}  // namespace cohort::check
