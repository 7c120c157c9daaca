// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/gang.hpp"

#include <algorithm>

#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/storage.hpp"

namespace cohort::engine {

void gang::name_thread(uint32_t block_thread_rank) {
  const lane& named = table->block->lanes[block_thread_rank];
  for (int axis = 0; axis < 3; ++axis) thread_index[axis] = named.thread_index[axis];
  thread_rank = block_thread_rank;
}

void gang_table::shape(engine::block& b, const grid& g) {
  const bool has_shape = block == &b && width == g.gang_width && std::equal(block_dim_, block_dim_ + 3, b.block_dim);
  if (!has_shape) {
    block = &b;
    width = g.gang_width;
    words = width / lanes_per_warp;
    std::copy(b.block_dim, b.block_dim + 3, block_dim_);
    count = (b.threads_total + width - 1) / width;
    gangs.reset(new gang[count]());
    // A gang reads the indices of all its lanes, so the last gang has entries beyond the block's threads.
    constexpr size_t alignment = 64;
    const size_t padded = size_t{count} * width;
    index_memory_.reset(new uint32_t[3 * padded + alignment / sizeof(uint32_t)]());
    auto* indices = reinterpret_cast<uint32_t*>(align_up(reinterpret_cast<char*>(index_memory_.get()), alignment));
    for (uint32_t i = 0; i < count; ++i) {
      gang& made = gangs[i];
      const uint32_t first = i * width;
      made.table = this;
      made.bit = 1u << i;
      made.first_warp = i * words;
      made.block = &b;
      made.warp = &b.warps[made.first_warp];
      made.fiber = &made.runner;
      made.runner.registers = &made.saved;
      made.shape = {first, std::min(width, b.threads_total - first), {}, made.looping};
      for (uint32_t axis = 0; axis < 3; ++axis) made.shape.thread_index[axis] = indices + axis * padded + first;
      for (uint32_t word = 0; word < warps_of(made); ++word) {
        made.warp_bits |= 1u << (made.first_warp + word);
        gang_of_warp_[made.first_warp + word] = static_cast<uint8_t>(i);
      }
    }
    for (uint32_t rank = 0; rank < b.threads_total; ++rank) {
      for (uint32_t axis = 0; axis < 3; ++axis) indices[axis * padded + rank] = b.lanes[rank].thread_index[axis];
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    gangs[i].entry = (gangs[i].shape.lanes == width ? g.full_gang : g.last_gang)->entry;
  }
  if (b.lanes[0].fiber == &gangs[0].runner) return;
  for (uint32_t rank = 0; rank < b.threads_total; ++rank) b.lanes[rank].fiber = &gangs[rank / width].runner;
}

void gang_table::begin() {
  live = count == 32 ? ~0u : (1u << count) - 1;
  ready = wide = 0;
  for (uint32_t i = 0; i < count; ++i) {
    gang& g = gangs[i];
    g.place = nullptr;
    g.live_count = g.shape.lanes;
    begin_loops(g);
    for (uint32_t word = 0; word < words; ++word) g.live[word] = g.looping[word];
    if (g.thread_rank != g.shape.first_rank) g.name_thread(g.shape.first_rank);
  }
}

void gang_table::begin_again() {
  begin();
  ready = live;
  if (warps_changed) {
    warps_changed = false;
    block->begin_warps();
    collect_ready();
  } else if (lanes_returned) {
    block->begin_lanes();
  }
  lanes_returned = false;
}

void gang_table::begin_loops(gang& g) const {
  for (uint32_t word = 0; word < words; ++word) g.looping[word] = ~0u;
  if (g.shape.lanes == width) return;
  for (uint32_t word = g.shape.lanes / lanes_per_warp; word < words; ++word) g.looping[word] = 0;
  if (const uint32_t rest = g.shape.lanes % lanes_per_warp)
    g.looping[g.shape.lanes / lanes_per_warp] = (1u << rest) - 1;
}

uint32_t gang_table::warps_of(const gang& g) const { return (g.shape.lanes + lanes_per_warp - 1) / lanes_per_warp; }

void gang_table::collect_ready() {
  for (uint32_t left = block->warps_ready; left;) {
    const gang& g = gangs[gang_of_warp_[lowest(left)]];
    left &= ~g.warp_bits;
    uint32_t waiting = 0;
    for (uint32_t bits = g.warp_bits; bits; bits &= bits - 1) {
      engine::warp& w = block->warps[lowest(bits)];
      w.ready = 0;
      waiting |= w.at_wide;
    }
    if (waiting) continue;  // some lanes wait at the barrier of another tile
    ready |= g.bit;
    wide &= ~g.bit;
  }
  block->warps_ready = 0;
}

gang* gang_table::take_ready() {
  if (!ready) return nullptr;
  gang* next = &gangs[lowest(ready)];
  ready &= ready - 1;
  return next;
}

void gang_table::give_back_ready() {
  while (const gang* g = take_ready()) {
    for (uint32_t word = 0; word < warps_of(*g); ++word) {
      engine::warp& w = block->warps[g->first_warp + word];
      w.ready = g->live[word];
      if (w.ready) block->warps_ready |= w.bit;
    }
  }
}

void gang_table::publish() {
  warps_changed = true;
  for (uint32_t i = 0; i < count; ++i) {
    const gang& g = gangs[i];
    const bool at_block = !((ready | wide) & g.bit);
    for (uint32_t word = 0; word < warps_of(g); ++word) {
      engine::warp& w = block->warps[g.first_warp + word];
      w.at_block = at_block ? w.live : 0;
    }
    if (block->lanes[g.shape.first_rank].place == g.place) continue;
    for (uint32_t lane = 0; lane < g.shape.lanes; ++lane) block->lanes[g.shape.first_rank + lane].place = g.place;
  }
}

}  // namespace cohort::engine
