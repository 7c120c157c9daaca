// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference implementation of a team's collectives: first the lanes of each warp, then one exchange between the
// warps. Each thread combines the warps' values itself, all in one order, and needs no second exchange.
#pragma once

#include <stdint.h>

#include "../../base/bits.hpp"
#include "../../base/config.hpp"
#include "../../base/lane_mask.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "concept.hpp"
#include "thread_rank.hpp"

namespace cohort {
namespace detail {

template <class Machine>
struct reference_team {
  // An exchange for each lane of a warp, because each thread may choose any other thread as its source.
  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* op_name) {
    slot<T> values[mask_size];
    slot<T> result;
    clear_value(result.value);
    for (uint32_t lane = 0; lane < Machine::warp_size; ++lane) {
      const uint32_t warps = Machine::exchange_warps(size, value, Machine::lane() == lane, values, op_name);
      const uint32_t warp = source / Machine::warp_size;
      if (source % Machine::warp_size == lane && warp < mask_size && ((warps >> warp) & 1u) != 0) {
        copy_value(result.value, values[warp].value);
      }
    }
    return result.value;
  }

  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* op_name) {
    const lane_mask lanes = present_lanes(op_name);
    const uint32_t mine = popcount(Machine::ballot(lanes.bits, predicate, op_name));
    slot<uint32_t> values[mask_size];
    const uint32_t warps = Machine::exchange_warps(size, mine, is_first(lanes), values, op_name);
    uint32_t sum = 0;
    for (uint32_t warp = 0; warp < mask_size; ++warp) sum += ((warps >> warp) & 1u) != 0 ? values[warp].value : 0;
    return sum;
  }

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    const lane_mask lanes = present_lanes(op_name);
    const T mine = Machine::reduce_lanes(lanes.bits, value, op, op_name);
    slot<T> values[mask_size];
    const uint32_t count = pack(Machine::exchange_warps(size, mine, is_first(lanes), values, op_name), values);
    reduce_tree(&values[0].value, count, op);
    return values[0].value;
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    const lane_mask lanes = present_lanes(op_name);
    T mine = Machine::inclusive_scan_lanes(lanes.bits, value, op, op_name);
    slot<T> totals[mask_size];
    const uint32_t before = scan_totals(size, mine, lanes, totals, op, op_name);
    if (before != 0) return op(totals[before - 1].value, mine);
    return mine;
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* op_name) {
    const lane_mask lanes = present_lanes(op_name);
    const uint32_t rank = lanes.rank_of(Machine::lane());
    const T inclusive = Machine::inclusive_scan_lanes(lanes.bits, value, op, op_name);
    T previous = Machine::shuffle(lanes.bits, inclusive, lanes.lane_of(rank == 0 ? 0 : rank - 1), op_name);
    slot<T> totals[mask_size];
    slot<T> own_totals[mask_size];
    const uint32_t before = scan_totals(size, inclusive, lanes, totals, op, op_name, own_totals);
    if (rank == 0) {
      // The preceding rank is the last one of the previous warp, whose scan is that warp's total.
      if (before == 0) return first;
      if (before == 1) return own_totals[0].value;
      return op(totals[before - 2].value, own_totals[before - 1].value);
    }
    if (before != 0) return op(totals[before - 1].value, previous);
    return previous;
  }

 private:
  // Returns the lanes of the caller's warp that have not returned.
  COHORT_FN static lane_mask present_lanes(const char* op_name) {
    const uint32_t rank = block_thread_rank();
    const uint32_t left = block_size_in<Machine>() - (rank & ~(Machine::warp_size - 1u));
    return lane_mask(Machine::ballot(low_bits(left), true, op_name));
  }
  COHORT_FN static uint32_t block_thread_rank() { return block_thread_rank_in<Machine>(); }
  COHORT_FN static bool is_first(lane_mask lanes) { return Machine::lane() == lanes.first(); }

  // Moves the values of `warps` to the first slots; returns their number.
  template <class T>
  COHORT_FN static uint32_t pack(uint32_t warps, slot<T>* values) {
    uint32_t count = 0;
    for (uint32_t warp = 0; warp < mask_size; ++warp) {
      if (((warps >> warp) & 1u) == 0) continue;
      if (count != warp) copy_value(values[count].value, values[warp].value);
      ++count;
    }
    return count;
  }

  // Scans the warps' totals into `totals`, and stores the totals themselves in `own_totals` unless it is null. Returns
  // the number of warps before the caller's.
  template <class T, class Op>
  COHORT_FN static uint32_t scan_totals(uint32_t size, const T& inclusive, lane_mask lanes, slot<T>* totals, Op& op,
                                        const char* op_name, slot<T>* own_totals = nullptr) {
    const bool is_last = lanes.rank_of(Machine::lane()) + 1 == lanes.count();
    const uint32_t warps = Machine::exchange_warps(size, inclusive, is_last, totals, op_name);
    const uint32_t count = pack(warps, totals);
    if (own_totals != nullptr) {
      for (uint32_t warp = 0; warp < count; ++warp) copy_value(own_totals[warp].value, totals[warp].value);
    }
    scan_tree(&totals[0].value, count, op);
    const uint32_t first_rank = size == whole_block ? 0 : block_thread_rank() & ~(size - 1u);
    return popcount(warps & low_bits((block_thread_rank() - first_rank) / Machine::warp_size));
  }
};

}  // namespace detail
}  // namespace cohort
