// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference implementation of reductions and scans over lanes, built from shuffles. It defines the order in which
// every machine combines values.
//
// The written order of reductions and scans over lanes (rank: the lane's place in the mask):
//   reduce          at step k = 0, 1, ... each rank r that is a multiple of 2^(k+1) with r + 2^k in the group becomes
//                   op(value of r, value of r + 2^k); rank 0 has the result, which all members get.
//   inclusive scan  at step k = 0, 1, ... each rank r with bit k set becomes op(value of l, value of r), where l is the
//                   last rank before r with bit k clear and the same higher bits: l = (r >> k << k) - 1. The last rank
//                   has what reduce gives.
//   exclusive scan  rank r has the inclusive scan of rank r - 1; rank 0 has `first`.
// The lower rank is always the left operand. In teams the lanes of each warp come first, in this order, then the warps:
//   reduce          the lanes of each warp, then the results of the warps, as if they were lanes.
//   inclusive scan  op(total of the warps before, own inclusive scan among the lanes); the totals of the warps (the
//                   scans of their last lanes) are scanned as if they were lanes. The first warp has its own scan.
//   exclusive scan  rank r has the inclusive scan of rank r - 1; rank 0 has `first`.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../base/types.hpp"

namespace cohort {
namespace detail {

template <class Machine>
struct reference_collectives {
  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const uint32_t count = lanes.count();
    T mine = value;
    for (uint32_t step = 1; step < count; step *= 2) {
      const bool takes = rank % (2 * step) == 0 && rank + step < count;
      T other = Machine::shuffle(mask, mine, lanes.lane_of(takes ? rank + step : rank), op_name);
      if (takes) assign(mine, op(mine, other));
    }
    return Machine::shuffle(mask, mine, lanes.first(), op_name);
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const uint32_t count = lanes.count();
    T mine = value;
    for (uint32_t step = 1; step < count; step *= 2) {
      const bool takes = (rank & step) != 0;
      T other = Machine::shuffle(mask, mine, lanes.lane_of(takes ? (rank & ~(step - 1)) - 1 : rank), op_name);
      if (takes) assign(mine, op(other, mine));
    }
    return mine;
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* op_name) {
    const T inclusive = inclusive_scan_lanes(mask, value, op, op_name);
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const T before = Machine::shuffle(mask, inclusive, lanes.lane_of(rank == 0 ? 0 : rank - 1), op_name);
    return rank == 0 ? first : before;
  }

 private:
  template <class T>
  COHORT_FN static void assign(T& to, const T& from) {
    copy_value(to, from);
  }
};

}  // namespace detail
}  // namespace cohort
