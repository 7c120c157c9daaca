// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clocks.hpp"

#include <algorithm>
#include <utility>

#include "../memory/shadow.hpp"
#include "../memory/tool_ports.hpp"
#include "launches.hpp"

namespace cohort::check {

namespace {

std::mutex mutex;
auto& clocks = *new std::unordered_map<const void*, std::unique_ptr<block_clock>>;  // by block_view::id()

// The number of the cluster that holds the block at `index` of the grid of `b`.
uint32_t cluster_at(tools::block_view b, const uint32_t* index) {
  uint32_t number = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const uint32_t along = b.grid_dim()[axis] / b.cluster_dim()[axis];
    number = number * along + index[axis] / b.cluster_dim()[axis];
  }
  return number;
}

uint32_t cluster_of_rank(tools::block_view b, uint32_t rank) {
  const uint32_t* const dim = b.grid_dim();
  const uint32_t index[3] = {rank % dim[0], rank / dim[0] % dim[1], rank / dim[0] / dim[1]};
  return cluster_at(b, index);
}

bool has_clusters(tools::block_view b) {
  const uint32_t* const dim = b.cluster_dim();
  return dim[0] * dim[1] * dim[2] > 1;
}

// A new block has no history, and its shared memory had one with another block.
std::unique_ptr<block_clock> begin_clock(tools::block_view b) {
  auto made = std::make_unique<block_clock>();
  made->block = b;
  made->launch = launch_of(b.grid());
  made->rank = static_cast<uint32_t>(b.rank());
  made->cluster = cluster_at(b, b.index());
  made->known_below = made->launch->operation->known_below;
  made->ordered_since = made->known_below;
  made->outer = made->launch->session->outer.load(std::memory_order_relaxed);
  made->grid_known = made->launch->grid_known.load(std::memory_order_relaxed);
  made->session_known = made->launch->session_known.load(std::memory_order_relaxed);
  const tools::memory_span shared[2] = {b.static_shared(), b.dynamic_shared()};
  for (int i = 0; i < 2; ++i) {
    forget_range(shared[i].data(), shared[i].size());
    const auto first = reinterpret_cast<uintptr_t>(shared[i].data());
    if (!b.has_cluster()) made->own_shared[i] = {first, first + shared[i].size()};
  }
  return made;
}

bool knows_any_lane(const warp_clock& w, uint32_t lane, uint32_t node, uint32_t tick) {
  for (uint32_t left = lanes_of(node); left; left &= left - 1) {
    const auto other = static_cast<uint32_t>(__builtin_ctz(left));
    if (other == lane || tick < (*w.rows)[lane][other]) return true;
  }
  return false;
}

// Whether lane `lane` knows the accesses of the lanes of `node` at `tick`.
bool knows_lanes(const warp_clock& w, uint32_t lane, uint32_t node, uint32_t tick) {
  if (tick < w.known) return true;
  if (!w.rows) return false;
  if (is_lane(node)) return tick < (*w.rows)[lane][node - lanes_per_warp];
  // A node may cover lanes that made no access, but each of its halves covers one that did.
  return knows_any_lane(w, lane, 2 * node, tick) && knows_any_lane(w, lane, 2 * node + 1, tick);
}

bool is_ordered_in_block(const record& a, uint32_t node, const accessor& c) {
  const block_clock& b = *c.block;
  if (a.tick < b.known) return true;
  if (a.extent == threads_of_warp && a.first_thread / lanes_per_warp == c.warp()) {
    if (is_lane(node) && node - lanes_per_warp == c.lane()) {
      return true;
    }
    if (knows_lanes(b.warps[c.warp()], c.lane(), node, a.tick)) return true;
  }
  for (uint32_t level = 0; level < tile_levels; ++level) {
    const uint8_t extent = static_cast<uint8_t>(threads_of_warp + 1 + level);
    if (a.extent > extent || first_of(a.first_thread, extent) != first_of(c.thread, extent)) continue;
    const uint32_t tile = c.thread >> extent;
    if (a.tick < b.tile_known[level][tile]) return true;
  }
  return flags_order(a, node, c);
}

// comes_before() for launches. An order is never lost, so this OS thread keeps the latest positive answers.
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

thread_clock& block_clock::thread(uint32_t rank_of_thread) {
  plain_tick = 0;
  if (!threads) threads = std::make_unique<std::vector<thread_clock>>(block.threads());
  return (*threads)[rank_of_thread];
}

thread_wait& block_clock::wait_of(uint32_t rank_of_thread) {
  if (!waits) waits = std::make_unique<wait_table>(block.threads());
  return (*waits)[rank_of_thread];
}

uint32_t block_clock::new_record(size_t cached, uint64_t place, uint32_t first_thread, uint8_t extent, uint8_t flags) {
  uint32_t number = 0;
  record& r = record_ring::instance().take(&number);
  r.launch = launch->number;
  r.block = rank;
  r.tick = tick;
  r.outer = outer;
  r.first_thread = static_cast<uint16_t>(first_thread);
  r.extent = extent;
  r.flags = flags;
  r.place = place;
  record_ring::publish(r, number);
  cache[cached] = {place, tick, number, static_cast<uint16_t>(first_thread), extent, flags};
  if (number - ordered_since > record_ring::last_number / 4) {
    std::fill(std::begin(ordered), std::end(ordered), 0);
    std::fill(std::begin(stable), std::end(stable), stable_reads());
    ordered_since = number;
    known_below = 0;
  }
  return number;
}

block_clock& clock_of(tools::block_view b) {
  if (block_clock* const known = find_clock(b)) return *known;
  // Blocks of a cluster begin together: one of them may access the shared memory of another that has not run yet.
  for (const tools::block_view member : b.cluster()) {
    if (find_clock(member) || (member != b && member.live_threads() == 0)) continue;
    auto made = begin_clock(member);
    const std::lock_guard lock(mutex);
    clocks[member.id()] = std::move(made);
  }
  return *find_clock(b);
}

block_clock* find_clock(tools::block_view b) {
  const std::lock_guard lock(mutex);
  const auto found = clocks.find(b.id());
  return found == clocks.end() ? nullptr : found->second.get();
}

void for_each_clock(tools::grid_view g, const std::function<void(block_clock&)>& use) {
  const std::lock_guard lock(mutex);
  for (auto& [b, clock] : clocks) {
    if (clock->launch->grid == g) use(*clock);
  }
}

void drop_clock(tools::block_view b) {
  const std::lock_guard lock(mutex);
  clocks.erase(b.id());
}

void forget_blocks_of(const launch_clock& launch) {
  const std::lock_guard lock(mutex);
  std::erase_if(clocks, [&](const auto& entry) { return entry.second->launch.get() == &launch; });
}

bool happens_before(const record& a, uint32_t node, const accessor& c) {
  const block_clock& b = *c.block;
  if (a.launch != b.launch->number) {
    if (was_before(a.launch, *b.launch)) return true;
    if (in_one_launch(a.launch, b.launch->number)) return a.outer < b.session_known;
    return flags_order(a, node, c);
  }
  if (a.flags & is_async_copy) return false;  // a wait would have replaced the record
  if (a.extent <= threads_of_block && a.block == b.rank) return is_ordered_in_block(a, node, c);
  if (a.outer < b.grid_known || a.outer < b.session_known) return true;
  if (a.outer < b.cluster_known && a.extent != threads_of_grid && cluster_of_rank(b.block, a.block) == b.cluster) {
    return true;
  }
  return flags_order(a, node, c);
}

bool happens_before_block(const record& a, const block_clock& b) {
  if (a.launch != b.launch->number) {
    return was_before(a.launch, *b.launch) || (in_one_launch(a.launch, b.launch->number) && a.outer < b.session_known);
  }
  if (a.flags & is_async_copy) return false;
  if (a.extent <= threads_of_block && a.block == b.rank) return a.tick < b.known;
  return a.outer < b.grid_known || a.outer < b.session_known;
}

bool is_past(const record& a, const block_clock& b) {
  if (a.launch != b.launch->number) {
    return was_before(a.launch, *b.launch) && is_past(a.launch, b.launch->operation.get());
  }
  return !(a.flags & is_async_copy) && (a.outer < b.grid_known || a.outer < b.session_known);
}

bool prove_happens_before(block_clock& b, uint32_t number) {
  record a;
  if (!record_ring::instance().read(number, &a)) return true;
  if (a.extent == several_accesses || !happens_before_block(a, b)) return false;
  // split_mark has the last number, so happens_before_block() must be false for it.
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
