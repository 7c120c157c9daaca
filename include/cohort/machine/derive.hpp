// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a machine does not have, built from what it must have; and the check that it has that.
//
// Here is the written order of reductions and scans over lanes (rank: the lane's place in the mask):
//   reduce          at step k = 0, 1, ... each rank r that is a multiple of 2^(k+1) with r + 2^k in the group becomes
//                   op(value of r, value of r + 2^k); rank 0 has the result, which all members get.
//   inclusive scan  at step k = 0, 1, ... each rank r >= 2^k becomes op(value of r - 2^k, value of r), all at once.
//   exclusive scan  rank r has the inclusive scan of rank r - 1; rank 0 has `first`.
// The lower rank is always the left operand.
#pragma once

#include <stdint.h>

#include "../base/lane_mask.hpp"
#include "../base/types.hpp"
#include "concept.hpp"

namespace cohort {
namespace detail {

template <class Machine>
struct derived_collectives {
  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const uint32_t count = lanes.count();
    T mine = value;
    for (uint32_t step = 1; step < count; step *= 2) {
      const bool takes = rank % (2 * step) == 0 && rank + step < count;
      T other = Machine::shuffle(mask, mine, lanes.lane_of(takes ? rank + step : rank), what);
      if (takes) assign(mine, op(mine, other));
    }
    return Machine::shuffle(mask, mine, lanes.first(), what);
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const uint32_t count = lanes.count();
    T mine = value;
    for (uint32_t step = 1; step < count; step *= 2) {
      const bool takes = rank >= step;
      T other = Machine::shuffle(mask, mine, lanes.lane_of(takes ? rank - step : rank), what);
      if (takes) assign(mine, op(other, mine));
    }
    return mine;
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* what) {
    const T inclusive = inclusive_scan_lanes(mask, value, op, what);
    const lane_mask lanes(mask);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const T before = Machine::shuffle(mask, inclusive, lanes.lane_of(rank == 0 ? 0 : rank - 1), what);
    return rank == 0 ? first : before;
  }

 private:
  template <class T>
  COHORT_FN static void assign(T& to, const T& from) {
    copy_value(to, from);
  }
};

// A machine with everything: its own functions, and derived ones for the optional ones that it lacks.
template <class Machine>
struct complete_machine : Machine {
 private:
  using contract = machine_contract;
  static_assert(is_same_v<decltype(&Machine::thread_index), decltype(&contract::thread_index)>, "machine: thread_index");
  static_assert(is_same_v<decltype(&Machine::block_index), decltype(&contract::block_index)>, "machine: block_index");
  static_assert(is_same_v<decltype(&Machine::block_dim), decltype(&contract::block_dim)>, "machine: block_dim");
  static_assert(is_same_v<decltype(&Machine::grid_dim), decltype(&contract::grid_dim)>, "machine: grid_dim");
  static_assert(is_same_v<decltype(&Machine::lane), decltype(&contract::lane)>, "machine: lane");
  static_assert(is_same_v<decltype(&Machine::sync_lanes), decltype(&contract::sync_lanes)>, "machine: sync_lanes");
  static_assert(is_same_v<decltype(&Machine::ballot), decltype(&contract::ballot)>, "machine: ballot");
  static_assert(is_same_v<decltype(&Machine::active_lanes), decltype(&contract::active_lanes)>, "machine: active_lanes");
  static_assert(is_same_v<decltype(&Machine::sync_block), decltype(&contract::sync_block)>, "machine: sync_block");
  static_assert(is_same_v<decltype(&Machine::sync_block_count), decltype(&contract::sync_block_count)>,
                "machine: sync_block_count");
  static_assert(is_same_v<decltype(&Machine::sync_grid), decltype(&contract::sync_grid)>, "machine: sync_grid");
  static_assert(is_same_v<decltype(&Machine::grid_is_valid), decltype(&contract::grid_is_valid)>, "machine: grid_is_valid");
  static_assert(is_same_v<decltype(&Machine::fence), decltype(&contract::fence)>, "machine: fence");
  static_assert(is_same_v<decltype(&Machine::copy_share), decltype(&contract::copy_share)>, "machine: copy_share");
  static_assert(is_same_v<decltype(&Machine::copy_commit), decltype(&contract::copy_commit)>, "machine: copy_commit");
  static_assert(is_same_v<decltype(&Machine::fail), decltype(&contract::fail)>, "machine: fail");

  using reduces = typename conditional<Machine::has_lane_reduce, Machine, derived_collectives<Machine>>::type;
  using scans = typename conditional<Machine::has_lane_scan, Machine, derived_collectives<Machine>>::type;

 public:
  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    return reduces::reduce_lanes(mask, value, op, what);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    return scans::inclusive_scan_lanes(mask, value, op, what);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* what) {
    return scans::exclusive_scan_lanes(mask, value, first, op, what);
  }
};

}  // namespace detail
}  // namespace cohort
