// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// complete_machine: a machine's own operations, and the reference implementation of each optional one that it lacks.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "concept.hpp"
#include "reference.hpp"
#include "reference_lanes.hpp"
#include "reference_team.hpp"

namespace cohort {
namespace detail {

// A machine with whole reductions and scans of lanes.
template <class Machine>
struct with_lane_collectives : Machine {
 private:
  using reduces = typename conditional<Machine::has_lane_reduce, Machine, reference_collectives<Machine>>::type;
  using scans = typename conditional<Machine::has_lane_scan, Machine, reference_collectives<Machine>>::type;

 public:
  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    return reduces::reduce_lanes(mask, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    return scans::inclusive_scan_lanes(mask, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* op_name) {
    return scans::exclusive_scan_lanes(mask, value, first, op, op_name);
  }
};

// A machine with everything: its own functions, and derived ones for the optional ones that it lacks.
template <class Machine>
struct complete_machine
    : with_lane_collectives<Machine>,
      conditional<Machine::has_lane_ranks, no_base<0>, reference_lane_ranks<Machine>>::type,
      conditional<Machine::has_tile, no_base<1>, reference_tile<with_lane_collectives<Machine>>>::type,
      conditional<Machine::has_team_begin, no_base<2>, reference_team_begin>::type {
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

  using reference = reference_team<with_lane_collectives<Machine>>;
  using team_shuffles = typename conditional<Machine::has_team_shuffle, Machine, reference>::type;
  using team_counts = typename conditional<Machine::has_team_count, Machine, reference>::type;
  using team_reduces = typename conditional<Machine::has_team_reduce, Machine, reference>::type;
  using team_scans = typename conditional<Machine::has_team_scan, Machine, reference>::type;

 public:
  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* op_name) {
    return team_shuffles::shuffle_team(size, value, source, op_name);
  }
  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* op_name) {
    return team_counts::count_team(size, predicate, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    return team_reduces::reduce_team(size, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    return team_scans::inclusive_scan_team(size, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* op_name) {
    return team_scans::exclusive_scan_team(size, value, first, op, op_name);
  }
};

}  // namespace detail
}  // namespace cohort
