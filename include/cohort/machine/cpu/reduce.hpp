// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of lanes and of a team: one rendezvous, in which the last thread to arrive runs the tree once for all.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "../contract/concept.hpp"
#include "lane_tree.hpp"
#include "lane_values.hpp"
#include "packed.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct reduce {
  static constexpr bool has_lane_reduce = true;
  static constexpr bool has_team_reduce = true;

  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    // Lanes that reach one point of a gang have equal masks there if one of them has a full mask.
    if (cohort_gang_first(mask) == all_lanes) {
      if constexpr (has_lane_tree<T, Op>) {
        if (cohort_gang_lanes() == all_lanes) return lane_tree<32>::reduce(value, op);
      }
      return among_lanes<full_placement<T>>(mask, value, op, op_name);
    }
    return among_lanes<partial_placement<T>>(mask, value, op, op_name);
  }

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    own_value<T, Op, full_placement<T>, false> mine(value, op, nullptr);
    cohort_wait_team(size, resolve_team<T, Op>, mine.operand(), op_name);
    return size == 0 ? of_gang(mine.result()) : mine.result();  // a gang lies in one block, but in several tiles
  }

  // False in gangs: a gang waits once for all of its lanes, so a second wait costs little.
  static constexpr bool has_reduce_and_sync = cohort_has_gangs == 0;
  template <class Publish, class T, class Op>
  COHORT_FN static void reduce_block_and_sync(barrier_kind kind, const T& value, Op& op, const char* op_name) {
    own_value<T, Op, full_placement<T>, false> mine(value, op, nullptr);
    cohort_wait_outer_team(static_cast<int>(kind), resolve_and_publish<Publish, T, Op>, mine.operand(), op_name);
  }

 private:
  template <class Publish, class T, class Op>
  COHORT_DEVICE static void resolve_and_publish(uint32_t count, void* const* operands) {
    resolve_team<T, Op>(count, operands);
    const uint32_t first = first_present(operands);
    Publish::call(waiting_for<T, Op, full_placement<T>>(operands, first)[first]);
  }

  // Returns `value`, which all lanes of a gang have: the code that follows is then computed once for the gang.
  template <class T>
  COHORT_FN static T of_gang(const T& value) {
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
      detail::slot<T> result;
      uint32_t words[sizeof(T) / 4];
      COHORT_COPY_BYTES(words, &value, sizeof(T));
      for (uint32_t& word : words) word = cohort_gang_first(word);
      COHORT_COPY_BYTES(static_cast<void*>(&result.value), words, sizeof(T));
      return result.value;
    } else {
      return value;
    }
  }

  template <class T, class Op, placement Where>
  using waiting_for = waiting_values<T, Op, Where, false>;

  template <placement Where, class T, class Op>
  COHORT_FN static T among_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    own_value<T, Op, Where, false> mine(value, op, nullptr);
    cohort_wait_warp(mask, resolve_lanes<T, Op, Where>, mine.operand(), op_name);
    return mine.result();
  }

  // Replaces the value of the lowest lane by the reduction of all.
  template <class T, class Op, class Waiting>
  COHORT_FN static void combine_lanes(uint32_t lanes, const Waiting& waiting, Op& op) {
    if (lanes == 0) __builtin_unreachable();
    lane_values<T> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, waiting[lane]); });
    detail::reduce_tree(values.by_rank(), count, op);
    values.give_back(0, waiting[static_cast<uint32_t>(__builtin_ctz(lanes))]);
  }

  template <class T, class Waiting>
  COHORT_FN static void broadcast(uint32_t lanes, const Waiting& waiting, const T& result) {
    for_each_lane(lanes, [&](uint32_t lane) {
      if (&waiting[lane] != &result) detail::copy_value(waiting[lane], result);
    });
  }

  template <class T, class Op, placement Where>
  COHORT_DEVICE static void resolve_lanes(uint32_t lanes, void* const* operands) {
    const uint32_t first = static_cast<uint32_t>(__builtin_ctz(lanes));
    const waiting_for<T, Op, Where> waiting(operands, first);
    if constexpr (Where == placement::packed) {
      if (lanes == all_lanes) return packed::reduce<32>(&waiting[0], waiting.op(0));
    }
    combine_lanes<T>(lanes, waiting, waiting.op(first));
    broadcast<T>(lanes, waiting, waiting[first]);
  }

  template <class T, class Op>
  COHORT_DEVICE static void resolve_team(uint32_t count, void* const* operands) {
    const uint32_t first = first_present(operands);
    const waiting_for<T, Op, full_placement<T>> waiting(operands, first);
    Op& op = waiting.op(first);
    if constexpr (full_placement<T> == placement::packed) {
      if (all_present(count, operands)) return packed::reduce(&waiting[0], count, op);
    }
    lane_values<T> totals;
    uint32_t lanes[32];
    uint32_t warps = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      lanes[warp] = lanes_of_warp(warp, count, operands);
      if (lanes[warp] == 0) continue;
      combine_lanes<T>(lanes[warp], waiting.from(32 * warp), op);
      totals.take(warps++, waiting[32 * warp + static_cast<uint32_t>(__builtin_ctz(lanes[warp]))]);
    }
    detail::reduce_tree(totals.by_rank(), warps, op);
    for (uint32_t warp = 0; 32 * warp < count; ++warp) broadcast<T>(lanes[warp], waiting.from(32 * warp), totals[0]);
  }
};

}  // namespace cpu
}  // namespace cohort
