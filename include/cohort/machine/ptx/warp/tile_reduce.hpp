// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of tiles of up to 32 threads, by exchanges at fixed distances.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../redux.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "tile.hpp"

namespace cohort {
namespace ptx {

struct tile_reduce {
  /// Reduction of the caller's tile.
  /// @param participating lanes of the warp that the block has
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_tile(uint32_t participating, const T& value, Op& op, const char* /*op_name*/) {
    if constexpr (Size == 1) {
      return value;
    } else if constexpr (redux::supports<T, Op> && Size >= 16) {
      return redux::reduce<Op>(tile::full_tile_mask<Size>(), value);
    } else if constexpr (Size < 32) {
      // In a converged warp one shuffle with the full mask serves all tiles. With a mask for each tile, the shuffles of
      // the tiles execute one after another.
      if (convergence::is_warp_converged()) return reduce_full<Size>(value, op);
      return reduce_partial<Size>(participating, value, op);
    } else {
      return reduce_warp(participating, value, op);
    }
  }

  /// Butterfly reduction of each aligned segment of `Size` lanes. Combines lanes at the distances Step, 2 * Step, ...
  /// Size / 2. All lanes of a segment have the result.
  /// @pre all 32 lanes participate
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T reduce_full(const T& value, Op& op) {
    if constexpr (Step == Size) {
      return value;
    } else {
      const T other = shuffles::value_across<Step>(0xffffffffu, value);
      return reduce_full<Size, 2 * Step>(combine_across<Step>(value, other, op), op);
    }
  }

  /// Reduction of the lanes of a warp. Both paths end before the last combination, which therefore belongs to the code
  /// after them: a fixed 7 cycles pass between the last instruction of a path and that code.
  /// @param participating lanes of the warp that the block has
  template <class T, class Op>
  COHORT_FN static T reduce_warp(uint32_t participating, const T& value, Op& op) {
    const T other = shuffles::value_across<1>(0xffffffffu, value);
    T lower = value, upper = value;  // results of lanes 0 to 15 and 16 to 31
    // The branch is free here: it executes during the latency of the exchange.
    if (identity::block_threads() % 32 == 0) {
      COHORT_KEEP_BRANCH("32 lanes");
      const T half = reduce_full<16, 2>(combine_across<1>(value, other, op), op);
      const T opposite = shuffles::value_across<16>(0xffffffffu, half);
      const bool is_higher = !detail::commutes_v<Op, T> && (identity::lane() & 16u) != 0;
      detail::copy_value(lower, select(is_higher, opposite, half));
      detail::copy_value(upper, select(is_higher, half, opposite));
    } else {
      const T pair = combine_participating<1>(participating, value, other, op);
      const T half = combine_partial<16, 2>(0xffffffffu, participating, pair, op);
      detail::copy_value(lower, shuffles::value_of(0xffffffffu, half, 0));
      detail::copy_value(upper, shuffles::value_of(0xffffffffu, half, 16));
    }
    combine_if((participating >> 16 & 1u) != 0, lower, lower, upper, op);
    return lower;
  }

  /// Reduction of a tile that may be partial. All lanes return the result of the first one.
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_partial(uint32_t participating, const T& value, Op& op) {
    const uint32_t mask = tile::full_tile_mask<Size>();
    return shuffles::value_of<Size>(mask, combine_partial<Size>(mask, participating, value, op), 0);
  }

  /// Combines the caller's value with `other`, of the lane whose number differs in bit `Step`, in the order of lanes.
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T combine_across(const T& mine, const T& other, Op& op) {
    const bool is_higher = !detail::commutes_v<Op, T> && (identity::lane() & Step) != 0;
    T left = select(is_higher, other, mine);
    T right = select(is_higher, mine, other);
    return op(left, right);
  }

 private:
  /// Reduction of each aligned segment of `Size` lanes, from distance `Step` on, as far as its lanes participate. Both
  /// partners of an exchange combine the same two values in the same order. Lanes without a partner hold garbage. If
  /// any lane has a partner in a step, the first lane of the segment has one, so its result is complete.
  /// @param mask lanes that execute the exchanges
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T combine_partial(uint32_t mask, uint32_t participating, const T& value, Op& op) {
    if constexpr (Step == Size) {
      return value;
    } else {
      const T other = shuffles::value_across<Step>(mask, value);
      const T mine = combine_participating<Step>(participating, value, other, op);
      return combine_partial<Size, 2 * Step>(mask, participating, mine, op);
    }
  }

  /// combine_across() if the other lane participates, else `value`. An operator never receives an undefined value.
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T combine_participating(uint32_t participating, const T& value, const T& other, Op& op) {
    T mine = value;
    if (((participating >> (identity::lane() ^ Step)) & 1u) != 0) {
      COHORT_KEEP_BRANCH("combine");
      detail::copy_value(mine, combine_across<Step>(value, other, op));
    }
    return mine;
  }
};

}  // namespace ptx
}  // namespace cohort
