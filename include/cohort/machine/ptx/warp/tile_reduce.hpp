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
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_tile(uint32_t /*participating*/, const T& value, Op& op, const char* /*op_name*/) {
    if constexpr (Size == 1) {
      return value;
    } else if constexpr (redux::supports<T, Op> && Size >= 16) {
      return redux::reduce<Op>(tile::full_tile_mask<Size>(), value);
    } else if constexpr (Size < 32) {
      // In a converged warp one shuffle with the full mask serves all tiles. With a mask for each tile, the shuffles of
      // the tiles execute one after another.
      if (convergence::is_warp_converged()) return reduce_full<Size>(value, op);
      return reduce_partial<Size>(identity::last_lane(), value, op);
    } else {
      const T other = shuffles::value_across<1>(0xffffffffu, value);
      // The branch is free here: it executes during the latency of the exchange.
      if (identity::block_threads_here() % 32 == 0) {
        COHORT_KEEP_BRANCH("32 lanes");
        return reduce_full<Size, 2>(combine_across(1, value, other, op), op);
      }
      return reduce_partial<Size>(identity::last_lane(), value, op);
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
      return reduce_full<Size, 2 * Step>(combine_across(Step, value, other, op), op);
    }
  }

  /// Reduction of a tile that may be partial. Both partners of an exchange combine the same two values in the same
  /// order, so all lanes of a segment obtain its result. Lanes without a partner hold garbage.
  /// If any lane has a partner in a step, the first lane of the tile has one. Its result is therefore complete, and all
  /// lanes return it. The cold path of a full warp is a loop, which is less code.
  /// @param last_lane highest lane of the warp that the block has
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_partial(uint32_t last_lane, const T& value, Op& op) {
    constexpr int times = Size == 32 ? 1 : 5;
    const uint32_t mask = tile::full_tile_mask<Size>();
    T mine = value;
#pragma unroll times
    for (uint32_t step = 1; step < Size; step *= 2) {
      T other = mine;
      // An operator never receives an undefined value.
      if (shuffles::value_across_up_to(last_lane, mask, mine, step, other)) {
        COHORT_KEEP_BRANCH("combine");
        detail::copy_value(mine, combine_across(step, mine, other, op));
      }
    }
    return shuffles::value_of<Size>(mask, mine, 0);
  }

  /// Combines the caller's value with `other`, of the lane whose number differs in bit `step`, in the order of lanes.
  template <class T, class Op>
  COHORT_FN static T combine_across(uint32_t step, const T& mine, const T& other, Op& op) {
    const bool is_higher = !detail::commutes_v<Op, T> && (identity::lane() & step) != 0;
    T left = select(is_higher, other, mine);
    T right = select(is_higher, mine, other);
    return op(left, right);
  }
};

}  // namespace ptx
}  // namespace cohort
