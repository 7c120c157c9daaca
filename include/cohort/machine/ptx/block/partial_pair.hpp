// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and inclusive scans of tiles of 64 threads in a block whose last tile of 64 is partial: cold paths of
// team_reduce.hpp and team_scan.hpp. A tile has one warp or two; the last warp of the block may have fewer lanes.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "leader_phase.hpp"
#include "team_barrier.hpp"
#include "team_slots.hpp"
#include "warp_pair_channel.hpp"
#include "warp_totals.hpp"

namespace cohort {
namespace ptx {

class partial_pair {
 public:
  COHORT_FN partial_pair() {
    const uint32_t last = identity::block_threads() - 1u - (identity::block_thread_rank() & ~31u);
    last_lane_ = last < 31u ? last : 31u;
  }
  COHORT_FN bool is_upper() const { return pair_.is_upper(); }
  /// True if the block has no upper warp for this tile.
  COHORT_FN static bool is_alone() { return (identity::block_thread_rank() & ~63u) + 32u >= identity::block_threads(); }
  COHORT_FN uint32_t last_lane() const { return last_lane_; }

  /// Scans the caller's warp. `other` becomes the total of the tile's other warp; it is undefined if there is none.
  template <class T, class Op>
  COHORT_FN T scan_and_swap(const T& value, T& other, Op& op) const {
    const bool is_last = identity::kept_lane() == last_lane_;
    if (team_barrier::is_warp_pair(64)) {
      const uint32_t number = pair_.next_exchange();
      const T own = warp_totals::scan_warp(value, op);
      detail::copy_value(other, pair_.swap_partial(own, number, is_last, is_alone()));
      return own;
    }
    using slots = team_slots<T>;
    const T own = warp_totals::scan_warp(value, op);
    const uint32_t slot = slots::template partials<1>() + identity::block_thread_rank() / 32u;
    if (is_last) slots::write(slot, own);
    const leader_phase phase(sync_any_shape_of{64});
    detail::copy_value(other, slots::read(slot ^ 1u));
    return own;
  }

 private:
  const warp_pair_channel pair_;
  uint32_t last_lane_;
};

/// The last lane's scan is the reduction of a warp, whatever its number of lanes.
struct partial_pair_reduce {
  template <class T, class Op>
  COHORT_FN static T run(uint32_t /*size*/, const T& value, Op& op) {
    const partial_pair pair;
    detail::slot<T> other;
    T own = shuffles::value_of(0xffffffffu, pair.scan_and_swap(value, other.value, op), pair.last_lane());
    const bool is_upper = !detail::commutes_v<Op, T> && pair.is_upper();
    T lower = select(is_upper, other.value, own);
    T upper = select(is_upper, own, other.value);
    combine_if(!pair.is_alone(), own, lower, upper, op);
    return own;
  }
};

struct partial_pair_scan {
  template <class T, class Op>
  COHORT_FN static T run(uint32_t /*size*/, const T& value, Op& op) {
    const partial_pair pair;
    detail::slot<T> other;
    T own = pair.scan_and_swap(value, other.value, op);
    combine_if(pair.is_upper(), own, other.value, own, op);
    return own;
  }
};

}  // namespace ptx
}  // namespace cohort
