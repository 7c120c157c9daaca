// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of the lanes of a gang by one call. Each lane has its own list of stages. `lanes`: the lanes that
// call.
#pragma once

#include "engine/sync/gang/gang_lanes.hpp"

namespace cohort::engine {

// Calls `with(copies, lane of the gang)` for the lanes in `lanes`.
template <class Function>
inline void for_each_copier(copy_table& table, const uint32_t* lanes, Function with) {
  const gang& g = *current_gang();
  for (uint32_t word = 0; word < g.table->words; ++word) {
    for (uint32_t left = lanes[word]; left; left &= left - 1) {
      with(table[lowest_rank(g, word, left)], word * lanes_per_warp + lowest(left));
    }
  }
}

// Adds a copy for each calling lane. `to` and `from` have an entry for each lane of the gang; those of other lanes are
// not read.
inline void gang_copy_later(void* const* to, const void* const* from, size_t bytes, const uint32_t* lanes) {
  for_each_copier(current_block().begin_copies(), lanes,
                  [&](late_copies& copies, uint32_t lane) { copies.add({to[lane], from[lane], bytes}); });
}

inline void gang_commit_copies(const uint32_t* lanes) {
  block& b = current_block();
  if (b.copies.is_used()) for_each_copier(*b.copies, lanes, [](late_copies& copies, uint32_t) { copies.commit(); });
}

inline void gang_wait_copies(uint32_t stages, const uint32_t* lanes) {
  block& b = current_block();
  if (!b.copies.is_used()) return;
  for_each_copier(*b.copies, lanes,
                  [&](late_copies& copies, uint32_t) { copies.make_all_but(stages, make_late_copy); });
}

}  // namespace cohort::engine
