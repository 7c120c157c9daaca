// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans over any lanes of a warp. A lane does not look for the lane of a rank: it keeps the lane that is
// 2^k ranks away, and finds the one twice as far by asking that lane for its own.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../known_op.hpp"
#include "../redux.hpp"
#include "../shuffle.hpp"
#include "../words.hpp"

namespace cohort {
namespace ptx {

struct lane_reduce {
  static constexpr bool has_lane_reduce = true;
  static constexpr bool has_lane_scan = true;

  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* /*what*/) {
    if constexpr (redux::takes<T, Op>) {
      return redux::reduce<Op>(mask, value);
    } else {
      return reduce_in_order(mask, value, op);
    }
  }

  // Each rank combines itself with the 2^k - 1 ranks above it: rank 0 as the written order says, and nobody else's
  // result is used.
  template <class T, class Op>
  COHORT_FN static T reduce_in_order(uint32_t mask, const T& value, Op& op) {
    const uint32_t lane = identity::lane();
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
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* /*what*/) {
    const uint32_t below = mask & ((1u << identity::lane()) - 1u);
    return scan(mask, value, op, below);
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* /*what*/) {
    const uint32_t below = mask & ((1u << identity::lane()) - 1u);
    const T inclusive = scan(mask, value, op, below);
    if constexpr (is_invertible_v<Op, T>) {
      return below == 0 ? first : apply_inverse<Op>(inclusive, value);
    } else {
      const T before = shuffles::value_of(mask, inclusive, nearest(below));
      return below == 0 ? first : before;
    }
  }

 private:
  // The highest of the lanes below the caller's; the caller's where there is none.
  COHORT_FN static uint32_t nearest(uint32_t below) {
    return below == 0 ? identity::lane() : 31u - static_cast<uint32_t>(__clz(static_cast<int>(below)));
  }

  template <class T, class Op>
  COHORT_FN static T scan(uint32_t mask, const T& value, Op& op, uint32_t below) {
    const uint32_t rank = detail::popcount(below);
    uint32_t previous = nearest(below);
    T mine = value;
#pragma unroll
    for (uint32_t step = 1; step < 32; step *= 2) {
      // `previous`: the lane of the last rank before the caller's piece of `step` ranks.
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
