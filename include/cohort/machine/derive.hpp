// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a machine does not have, built from what it must have; and the check that it has that.
//
// Here is the written order of reductions and scans over lanes (rank: the lane's place in the mask):
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

#include "../base/lane_mask.hpp"
#include "../base/types.hpp"
#include "concept.hpp"
#include "derive_lanes.hpp"
#include "derive_team.hpp"

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
      const bool takes = (rank & step) != 0;
      T other = Machine::shuffle(mask, mine, lanes.lane_of(takes ? (rank & ~(step - 1)) - 1 : rank), what);
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

// A machine with whole reductions and scans of lanes.
template <class Machine>
struct with_lane_collectives : Machine {
 private:
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

// A machine with everything: its own functions, and derived ones for the optional ones that it lacks.
template <class Machine>
struct complete_machine
    : with_lane_collectives<Machine>,
      conditional<Machine::has_lane_ranks, nothing<0>, derived_lane_ranks<Machine>>::type,
      conditional<Machine::has_tile, nothing<1>, derived_tile<with_lane_collectives<Machine>>>::type,
      conditional<Machine::has_team_begin, nothing<2>, derived_team_begin>::type {
 private:
  using contract = machine_contract;
  static_assert(is_same_v<decltype(&Machine::thread_index), decltype(&contract::thread_index)>,
                "machine: thread_index");
  static_assert(is_same_v<decltype(&Machine::block_index), decltype(&contract::block_index)>, "machine: block_index");
  static_assert(is_same_v<decltype(&Machine::block_dim), decltype(&contract::block_dim)>, "machine: block_dim");
  static_assert(is_same_v<decltype(&Machine::grid_dim), decltype(&contract::grid_dim)>, "machine: grid_dim");
  static_assert(is_same_v<decltype(&Machine::lane), decltype(&contract::lane)>, "machine: lane");
  static_assert(is_same_v<decltype(&Machine::sync_lanes), decltype(&contract::sync_lanes)>, "machine: sync_lanes");
  static_assert(is_same_v<decltype(&Machine::ballot), decltype(&contract::ballot)>, "machine: ballot");
  static_assert(is_same_v<decltype(&Machine::active_lanes), decltype(&contract::active_lanes)>,
                "machine: active_lanes");
  static_assert(is_same_v<decltype(&Machine::sync_block), decltype(&contract::sync_block)>, "machine: sync_block");
  static_assert(is_same_v<decltype(&Machine::sync_block_count), decltype(&contract::sync_block_count)>,
                "machine: sync_block_count");
  static_assert(is_same_v<decltype(&Machine::sync_team), decltype(&contract::sync_team)>, "machine: sync_team");
  static_assert(is_same_v<decltype(&Machine::arrive), decltype(&contract::arrive)>, "machine: arrive");
  static_assert(is_same_v<decltype(&Machine::wait), decltype(&contract::wait)>, "machine: wait");
  static_assert(is_same_v<decltype(&Machine::cluster_dim), decltype(&contract::cluster_dim)>, "machine: cluster_dim");
  static_assert(is_same_v<decltype(&Machine::sync_cluster), decltype(&contract::sync_cluster)>,
                "machine: sync_cluster");
  static_assert(is_same_v<decltype(&Machine::map_shared), decltype(&contract::map_shared)>, "machine: map_shared");
  static_assert(is_same_v<decltype(&Machine::shared_owner), decltype(&contract::shared_owner)>,
                "machine: shared_owner");
  static_assert(is_same_v<decltype(&Machine::cluster_scratch), decltype(&contract::cluster_scratch)>,
                "machine: cluster_scratch");
  static_assert(is_same_v<decltype(&Machine::sync_multi_grid), decltype(&contract::sync_multi_grid)>,
                "machine: sync_multi_grid");
  static_assert(is_same_v<decltype(&Machine::multi_grid_rank), decltype(&contract::multi_grid_rank)>,
                "machine: multi_grid_rank");
  static_assert(is_same_v<decltype(&Machine::multi_grid_count), decltype(&contract::multi_grid_count)>,
                "machine: multi_grid_count");
  static_assert(is_same_v<decltype(&Machine::multi_grid_scratch), decltype(&contract::multi_grid_scratch)>,
                "machine: multi_grid_scratch");
  static_assert(is_same_v<decltype(&Machine::sync_grid), decltype(&contract::sync_grid)>, "machine: sync_grid");
  static_assert(is_same_v<decltype(&Machine::grid_is_valid), decltype(&contract::grid_is_valid)>,
                "machine: grid_is_valid");
  static_assert(is_same_v<decltype(&Machine::fence), decltype(&contract::fence)>, "machine: fence");
  static_assert(is_same_v<decltype(&Machine::copy_share), decltype(&contract::copy_share)>, "machine: copy_share");
  static_assert(is_same_v<decltype(&Machine::copy_commit), decltype(&contract::copy_commit)>, "machine: copy_commit");
  static_assert(is_same_v<decltype(&Machine::fail), decltype(&contract::fail)>, "machine: fail");

  using derived = derived_team<with_lane_collectives<Machine>>;
  using team_shuffles = typename conditional<Machine::has_team_shuffle, Machine, derived>::type;
  using team_counts = typename conditional<Machine::has_team_count, Machine, derived>::type;
  using team_reduces = typename conditional<Machine::has_team_reduce, Machine, derived>::type;
  using team_scans = typename conditional<Machine::has_team_scan, Machine, derived>::type;

 public:
  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* what) {
    return team_shuffles::shuffle_team(size, value, source, what);
  }
  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* what) {
    return team_counts::count_team(size, predicate, what);
  }
  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    return team_reduces::reduce_team(size, value, op, what);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* what) {
    return team_scans::inclusive_scan_team(size, value, op, what);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* what) {
    return team_scans::exclusive_scan_team(size, value, first, op, what);
  }
};

}  // namespace detail
}  // namespace cohort
