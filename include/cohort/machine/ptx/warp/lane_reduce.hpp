// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans over any lanes of a warp. In step k each lane holds the number of the lane that is 2^k ranks
// away. It obtains the lane at twice the distance by a shuffle from that lane, without a search by rank.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../redux.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"

namespace cohort {
namespace ptx {

struct lane_reduce {
  static constexpr bool has_lane_reduce = true;
  static constexpr bool has_lane_scan = true;

  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* /*op_name*/) {
    if constexpr (redux::supports<T, Op>) {
      return redux::reduce<Op>(mask, value);
    } else {
      return reduce_in_order(mask, value, op);
    }
  }

  /// Reduction in the written order. In step k each rank combines its 2^k values with those of the 2^k ranks above.
  /// Only the result of rank 0 is complete; all lanes return it.
  template <class T, class Op>
  COHORT_FN static T reduce_in_order(uint32_t mask, const T& value, Op& op) {
    const uint32_t lane = identity::kept_lane();
    const uint32_t above = mask & ~((2u << lane) - 1u);
    const uint32_t ranks_above = detail::popcount(above);
    uint32_t next = above == 0 ? lane : detail::lowest_bit(above);
    T mine = value;
#pragma unroll
    for (uint32_t step = 1; step < 32; step *= 2) {
      T other = shuffles::value_of(mask, mine, next);
      if (step < 16) next = shuffles::value_of(mask, next, next);
      combine_if(step <= ranks_above, mine, mine, other, op);
    }
    return shuffles::value_of(mask, mine, detail::lowest_bit(mask));
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* /*op_name*/) {
    const uint32_t below = mask & ((1u << identity::kept_lane()) - 1u);
    return scan(mask, value, op, below);
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op,
                                          const char* /*op_name*/) {
    const uint32_t below = mask & ((1u << identity::kept_lane()) - 1u);
    const T inclusive = scan(mask, value, op, below);
    if constexpr (detail::is_invertible_v<Op, T>) {
      return below == 0 ? first : detail::apply_inverse<Op>(inclusive, value);
    } else {
      const T before = shuffles::value_of(mask, inclusive, highest_or_own(below));
      return below == 0 ? first : before;
    }
  }

 private:
  /// Highest lane of `below`; the caller's lane if the mask is empty.
  COHORT_FN static uint32_t highest_or_own(uint32_t below) {
    return below == 0 ? identity::kept_lane() : 31u - static_cast<uint32_t>(__clz(static_cast<int>(below)));
  }

  /// Inclusive scan in the written order.
  /// @param below the lanes of `mask` below the caller's
  template <class T, class Op>
  COHORT_FN static T scan(uint32_t mask, const T& value, Op& op, uint32_t below) {
    const uint32_t rank = detail::popcount(below);
    uint32_t previous = highest_or_own(below);
    T mine = value;
#pragma unroll
    for (uint32_t step = 1; step < 32; step *= 2) {
      // `previous` is the lane of the last rank before the caller's segment of `step` ranks.
      T other = shuffles::value_of(mask, mine, previous);
      const bool is_higher = (rank & step) != 0;
      if (step < 16) {
        const uint32_t next = shuffles::value_of(mask, previous, previous);
        previous = is_higher ? next : previous;
      }
      combine_if(is_higher, mine, other, mine, op);
    }
    return mine;
  }
};

}  // namespace ptx
}  // namespace cohort
