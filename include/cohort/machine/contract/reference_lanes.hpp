// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference implementation of arithmetic between ranks and lanes, and of tiles inside a warp.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/lane_mask.hpp"

namespace cohort {
namespace detail {

// The base of complete_machine that replaces a reference implementation which the machine does not need.
template <int>
struct no_base {};

template <class Machine>
struct reference_lane_ranks {
  COHORT_FN static uint32_t lane_of(uint32_t mask, uint32_t rank) { return lane_mask(mask).lane_of(rank); }
  COHORT_FN static uint32_t to_ranks(uint32_t mask, uint32_t lanes) { return lane_mask(mask).to_ranks(lanes); }
  COHORT_FN static uint32_t rank_in(uint32_t mask) { return lane_mask(mask).rank_of(Machine::lane()); }
  COHORT_FN static uint32_t lane_at(uint32_t mask, uint32_t size, int rank) {
    return lane_of(mask, wrap_rank(size, rank));
  }
  template <class T>
  COHORT_FN static T shuffle_member(uint32_t mask, const T& value, uint32_t lane, const char* op_name) {
    return Machine::shuffle(mask, value, lane, op_name);
  }
  COHORT_FN static uint32_t ballot_ranks(uint32_t mask, uint32_t /*rank*/, bool predicate, const char* op_name) {
    return to_ranks(mask, Machine::ballot(mask, predicate, op_name));
  }

 private:
  // Returns `rank` modulo `size`, never negative.
  COHORT_FN static uint32_t wrap_rank(uint32_t size, int rank) {
    if (static_cast<uint32_t>(rank) < size) return static_cast<uint32_t>(rank);
    const int wrapped = rank % static_cast<int>(size);
    return wrapped < 0 ? static_cast<uint32_t>(wrapped) + size : static_cast<uint32_t>(wrapped);
  }
};

template <class Machine>
struct reference_tile {
  template <uint32_t Size>
  COHORT_FN static uint32_t tile_mask(uint32_t participating) {
    return participating;
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile(uint32_t participating, const T& value, uint32_t rank, const char* op_name) {
    return Machine::shuffle(participating, value, (Machine::lane() & ~(Size - 1u)) + rank % Size, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_down(uint32_t participating, const T& value, uint32_t delta, const char* op_name) {
    const uint32_t rank = Machine::lane() % Size;
    return shuffle_tile<Size>(participating, value, delta < Size - rank ? rank + delta : rank, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_up(uint32_t participating, const T& value, uint32_t delta, const char* op_name) {
    const uint32_t rank = Machine::lane() % Size;
    return shuffle_tile<Size>(participating, value, delta <= rank ? rank - delta : rank, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_xor(uint32_t participating, const T& value, uint32_t ranks, const char* op_name) {
    const uint32_t rank = Machine::lane() % Size;
    return shuffle_tile<Size>(participating, value, (rank ^ ranks) < Size ? rank ^ ranks : rank, op_name);
  }
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_tile(uint32_t participating, const T& value, Op& op, const char* op_name) {
    return Machine::reduce_lanes(participating, value, op, op_name);
  }
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T inclusive_scan_tile(uint32_t participating, const T& value, Op& op, const char* op_name) {
    return Machine::inclusive_scan_lanes(participating, value, op, op_name);
  }
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T exclusive_scan_tile(uint32_t participating, const T& value, const T& first, Op& op,
                                         const char* op_name) {
    return Machine::exclusive_scan_lanes(participating, value, first, op, op_name);
  }
};

struct reference_team_begin {
  COHORT_FN static void begin_teams(uint32_t /*size*/, uint32_t /*parent*/) {}
};

}  // namespace detail
}  // namespace cohort
