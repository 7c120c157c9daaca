// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// complete_machine: a machine's own operations, and the reference implementation of each optional one that it lacks.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "contract_check.hpp"
#include "reference.hpp"
#include "reference_lanes.hpp"
#include "reference_team.hpp"

namespace cohort {
namespace detail {

// A machine with reductions and scans of lanes: its own, or those of the reference implementation.
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

// A machine with all operations of the contract.
template <class Machine>
struct complete_machine
    : with_lane_collectives<Machine>,
      conditional<Machine::has_lane_ranks, no_base<0>, reference_lane_ranks<Machine>>::type,
      conditional<Machine::has_tile, no_base<1>, reference_tile<with_lane_collectives<Machine>>>::type,
      conditional<Machine::has_team_begin, no_base<2>, reference_team_begin>::type {
 private:
  static_assert(check_contract<Machine>(), "");

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
