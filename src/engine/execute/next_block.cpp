// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/next_block.hpp"

#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

namespace {

// The blocks of other launches leave together, or are all resident.
bool may_follow(const grid& g) { return !g.launch->cooperative && g.cluster_blocks == 1; }

bool must_return_to_home(const grid& g) { return g.failed() || g.over_limit.load(std::memory_order_relaxed); }

}  // namespace

bool take_block(worker& w, uint32_t chunk, uint64_t& number) {
  grid& g = *w.grid;
  if (w.taken_next == w.taken_end) {
    w.taken_next = g.next.fetch_add(chunk, std::memory_order_relaxed);
    w.taken_end = w.taken_next + chunk;
  }
  number = w.taken_next++;
  return number < g.next_end.load(std::memory_order_relaxed);
}

bool begin_next_block(worker& w, block& b) {
  grid& g = *b.grid;
  if (b.live || !may_follow(g) || must_return_to_home(g)) return false;
  uint64_t number = 0;
  if (!take_block(w, g.chunk, number)) return false;
  raise_event(block_ended{&b});
  b.shared.provide(*g.launch->kernel, g.launch->dynamic_shared_bytes, g.cluster_blocks > 1);
  b.begin_again(number);
  b.gangs.begin_again();
  raise_event(block_entered{&b});
  w.advance();
  return true;
}

}  // namespace cohort::engine
