// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference implementation of reductions and scans over lanes, built from shuffles. It defines the order in which
// every machine combines values.
//
// The written order over lanes, where the rank is the position of the lane in the mask:
//   reduce          At step k = 0, 1, ... each rank r that is a multiple of 2^(k+1) becomes op(value of r, value of
//                   r + 2^k) if rank r + 2^k exists. Rank 0 has the result, and all lanes get it.
//   inclusive scan  At step k = 0, 1, ... each rank r with bit k set becomes op(value of l, value of r). Rank l is the
//                   last before r with bit k clear and equal higher bits: l = (r >> k << k) - 1. The last rank has the
//                   result of reduce.
//   exclusive scan  Rank r gets the inclusive scan of rank r - 1; rank 0 gets `first`.
// The lower rank is always the left operand. A team combines the lanes of each warp in this order, then the warps:
//   reduce          The results of the warps are reduced as if they were lanes.
//   inclusive scan  The totals of the warps (the scans of their last lanes) are scanned as if they were lanes. A thread
//                   gets op(total of the warps before, its scan among the lanes); the first warp has its own scan.
//   exclusive scan  Rank r gets the inclusive scan of rank r - 1; rank 0 gets `first`.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/lane_mask.hpp"
#include "../../base/types.hpp"

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
