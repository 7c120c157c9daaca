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
      const T mine = combine_participating<1>(participating, value,
                                              shuffles::value_across<1>(tile::full_tile_mask<Size>(), value), op);
      const T other = shuffles::value_across<2>(tile::full_tile_mask<Size>(), mine);
      // The branch is free here: it executes during the latency of the second exchange.
      if (identity::block_threads() % 32 == 0) {
        COHORT_KEEP_BRANCH("32 lanes");
        return reduce_full<Size, 4>(combine_across<2>(mine, other, op), op);
      }
      return reduce_partial<Size, 4>(participating, combine_participating<2>(participating, mine, other, op), op);
    }
  }

  /// Reduction of each aligned segment of `Size` lanes, from distance `Step` on. All lanes of a segment have the
  /// result.
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

  /// Reduction of a tile that may be partial, from distance `Step` on. Both partners of an exchange combine the same
  /// two values in the same order, so all lanes of a segment obtain its result. Lanes without a partner hold garbage.
  /// If any lane has a partner in a step, the first lane of the tile has one. Its result is therefore complete, and all
  /// lanes return it.
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T reduce_partial(uint32_t participating, const T& value, Op& op) {
    if constexpr (Step == Size) {
      return shuffles::value_of<Size>(tile::full_tile_mask<Size>(), value, 0);
    } else {
      const T other = shuffles::value_across<Step>(tile::full_tile_mask<Size>(), value);
      return reduce_partial<Size, 2 * Step>(participating, combine_participating<Step>(participating, value, other, op),
                                            op);
    }
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
