// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/clocks.hpp"

#include <algorithm>
#include <utility>

#include "check/memory/shadow.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/copies_in_flight.hpp"
#include "check/order/launches.hpp"

namespace cohort::check {

namespace {

std::mutex mutex;
auto& clocks = *new std::unordered_map<const void*, std::unique_ptr<block_clock>>;  // keys: block_view::id()

// The number of the cluster that holds the block at `index` of the grid of `b`.
uint32_t cluster_at(tools::block_view b, const uint32_t* index) {
  uint32_t number = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const uint32_t along = b.grid_dim()[axis] / b.cluster_dim()[axis];
    number = number * along + index[axis] / b.cluster_dim()[axis];
  }
  return number;
}

// Makes the clock and clears the shadow of the block's shared memory, which another block may have used.
std::unique_ptr<block_clock> begin_clock(tools::block_view b) {
  auto made = std::make_unique<block_clock>();
  made->block = b;
  made->launch = launch_of(b.grid());
  made->rank = static_cast<uint32_t>(b.rank());
  made->cluster = cluster_at(b, b.index());
  made->records_ordered_below = made->launch->operation->records_ordered_below;
  made->ordered_since = made->records_ordered_below;
  made->outer = made->launch->session->outer.load(std::memory_order_relaxed);
  made->grid_ordered_below = made->launch->grid_ordered_below.load(std::memory_order_relaxed);
  made->session_ordered_below = made->launch->session_ordered_below.load(std::memory_order_relaxed);
  const tools::memory_span shared[2] = {b.static_shared(), b.dynamic_shared()};
  for (int i = 0; i < 2; ++i) {
    clear_range(shared[i].data(), shared[i].size());
    const auto first = reinterpret_cast<uintptr_t>(shared[i].data());
    if (!b.has_cluster()) made->own_shared[i] = {first, first + shared[i].size()};
  }
  return made;
}

}  // namespace

uint32_t cluster_of_rank(tools::block_view b, uint32_t rank) {
  const uint32_t* const dim = b.grid_dim();
  const uint32_t index[3] = {rank % dim[0], rank / dim[0] % dim[1], rank / dim[0] / dim[1]};
  return cluster_at(b, index);
}

uint32_t block_clock::next_life() {
  static std::atomic<uint32_t> lives{0};
  return lives.fetch_add(1, std::memory_order_relaxed) + 1;
}

thread_clock& block_clock::entry_of(uint32_t rank_of_thread) {
  if (!threads) threads = std::make_unique<std::vector<thread_clock>>(block.threads());
  return (*threads)[rank_of_thread];
}

thread_clock& block_clock::thread(uint32_t rank_of_thread) {
  plain_tick = 0;
  if (!has_acquirers) {
    has_acquirers = true;
    life = next_life();  // from now on, flags may order accesses
  }
  return entry_of(rank_of_thread);
}

void block_clock::make_waits() { waits = std::make_unique<wait_table>(block.threads()); }

thread_arrivals& block_clock::arrivals_of(uint32_t rank_of_thread) {
  if (!arrivals) arrivals = std::make_unique<arrival_table>(block.threads());
  return (*arrivals)[rank_of_thread];
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
    records_ordered_below = own_records_ordered_below = 0;
    life = next_life();
  }
  return number;
}

block_clock& clock_of(tools::block_view b) {
  if (block_clock* const known = find_clock(b)) return *known;
  // Blocks of a cluster begin together: a block may access the shared memory of a block that has not run yet.
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

void end_launches(tools::launch_view launch) {
  for (const auto& ended : take_launch(launch)) {
    {
      const std::lock_guard lock(mutex);
      std::erase_if(clocks, [&](const auto& entry) { return entry.second->launch == ended; });
    }
    copies_in_flight::instance().end_launch(ended->number);
    end_number(ended->number);
  }
  launch_ends.fetch_add(1, std::memory_order_release);
}

}  // namespace cohort::check
