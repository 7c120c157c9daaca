// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dispatch: reductions, scans, broadcasts and votes at every level, for checked values and operators. Above a block
// they combine the block's collective with one exchange between the blocks.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../../machine/this_machine.hpp"
#include "block_exchange.hpp"
#include "grid_messages.hpp"
#include "level.hpp"
#include "turns.hpp"

namespace cohort {
namespace detail {

template <class Group, level Level = level_v<Group>>
struct dispatch;

template <class Group>
struct dispatch<Group, level::lanes> {
  static constexpr uint32_t size = team_size_v<Group>;  // 0 for a coalesced group

  template <class T, class Op>
  COHORT_FN static T reduce(const Group& group, const T& value, Op& op, const char* op_name) {
    const uint32_t lanes = group_access::lanes(group).bits;
    if constexpr (size != 0)
      return this_machine::template reduce_tile<size>(lanes, value, op, op_name);
    else
      return this_machine::reduce_lanes(lanes, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan(const Group& group, const T& value, Op& op, const char* op_name) {
    const uint32_t lanes = group_access::lanes(group).bits;
    if constexpr (size != 0)
      return this_machine::template inclusive_scan_tile<size>(lanes, value, op, op_name);
    else
      return this_machine::inclusive_scan_lanes(lanes, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan(const Group& group, const T& value, const T& first, Op& op, const char* op_name) {
    const uint32_t lanes = group_access::lanes(group).bits;
    if constexpr (size != 0)
      return this_machine::template exclusive_scan_tile<size>(lanes, value, first, op, op_name);
    else
      return this_machine::exclusive_scan_lanes(lanes, value, first, op, op_name);
  }
  template <class T>
  COHORT_FN static T broadcast(const Group& group, const T& value, uint64_t rank, const char* op_name) {
    const uint32_t lanes = group_access::lanes(group).bits;
    if constexpr (size == 1) {
      return value;
    } else if constexpr (size != 0) {
      return this_machine::template shuffle_tile<size>(lanes, value, static_cast<uint32_t>(rank), op_name);
    } else {
      const uint32_t lane = this_machine::lane_at(lanes, group.num_threads(), static_cast<int>(rank));
      return this_machine::shuffle_member(lanes, value, lane, op_name);
    }
  }
  COHORT_FN static unsigned int count(const Group& group, bool predicate, const char* op_name) {
    if constexpr (size == 1) return predicate ? 1 : 0;
    return popcount(this_machine::ballot(group_access::mask(group), predicate, op_name));
  }
};

template <class Group>
struct dispatch<Group, level::team> {
  static constexpr uint32_t size = team_size_v<Group>;

  template <class T, class Op>
  COHORT_FN static T reduce(const Group&, const T& value, Op& op, const char* op_name) {
    return this_machine::reduce_team(size, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T inclusive_scan(const Group&, const T& value, Op& op, const char* op_name) {
    return this_machine::inclusive_scan_team(size, value, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan(const Group&, const T& value, const T& first, Op& op, const char* op_name) {
    return this_machine::exclusive_scan_team(size, value, first, op, op_name);
  }
  template <class T>
  COHORT_FN static T broadcast(const Group&, const T& value, uint64_t rank, const char* op_name) {
    return this_machine::shuffle_team(size, value, static_cast<uint32_t>(rank), op_name);
  }
  COHORT_FN static unsigned int count(const Group&, bool predicate, const char* op_name) {
    return this_machine::count_team(size, predicate, op_name);
  }
};

template <class Group>
struct dispatch<Group, level::blocks> {
  using blocks = block_set<Group>;

  template <class T, class Op>
  COHORT_FN static T reduce(const Group& group, const T& value, Op& op, const char* op_name) {
    const blocks set(group);
    if (set.count() == 1) return this_machine::reduce_team(whole_block, value, op, op_name);
    if constexpr (sends_messages_v<blocks, T>) {
      return grid_messages<blocks>(op_name).reduce(value, op);
    } else if constexpr (takes_turns_v<blocks, T>) {
      return turns<>().reduce(set, value, op, op_name);
    } else {
      block_exchange<blocks> exchange(set, op_name);
      exchange.find_threads();
      return exchange.reduce(value, op);
    }
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan(const Group& group, const T& value, Op& op, const char* op_name) {
    const blocks set(group);
    if (set.count() == 1) return this_machine::inclusive_scan_team(whole_block, value, op, op_name);
    if constexpr (sends_messages_v<blocks, T>) {
      return grid_messages<blocks>(op_name).inclusive_scan(value, op);
    } else {
      block_exchange<blocks> exchange(set, op_name);
      exchange.find_threads();
      const T mine = this_machine::inclusive_scan_team(whole_block, value, op, op_name);
      const optional_value<T> lower = exchange.combine(mine, exchange.is_last_thread(), exchange.rank(), op);
      return join(lower, optional_value<T>::of(mine), op).value.value;
    }
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan(const Group& group, const T& value, const T& first, Op& op, const char* op_name) {
    const blocks set(group);
    if (set.count() == 1) return this_machine::exclusive_scan_team(whole_block, value, first, op, op_name);
    if constexpr (sends_messages_v<blocks, end_of_grid<T>>) {
      return grid_messages<blocks>(op_name).exclusive_scan(value, first, op);
    } else {
      block_exchange<blocks> exchange(set, op_name);
      exchange.find_threads();
      const T mine = this_machine::inclusive_scan_team(whole_block, value, op, op_name);
      const join_op<T, Op> joined{&op};
      const optional_value<T> below = this_machine::exclusive_scan_team(whole_block, optional_value<T>::of(value),
                                                                        optional_value<T>::none(), joined, op_name);
      const lower_blocks<T> lower = exchange.combine_lower(mine, exchange.is_last_thread(), op);
      const optional_value<T> before = below.present ? join(lower.prefix, below, op) : lower.previous;
      return before.present ? before.value.value : first;
    }
  }

  template <class T>
  COHORT_FN static T broadcast(const Group& group, const T& value, uint64_t rank, const char* op_name) {
    const blocks set(group);
    const uint64_t source = rank / block_size();
    const uint32_t thread = static_cast<uint32_t>(rank % block_size());
    if (set.count() == 1) return this_machine::shuffle_team(whole_block, value, source == 0 ? thread : ~0u, op_name);
    if constexpr (sends_messages_v<blocks, T>) {
      return grid_messages<blocks>(op_name).broadcast(value, source, thread);
    } else {
      block_exchange<blocks> exchange(set, op_name);
      exchange.find_threads();
      return exchange.broadcast(value, source == exchange.rank() && thread == block_thread_rank());
    }
  }

  COHORT_FN static auto count(const Group& group, bool predicate, const char* op_name) {
    const blocks set(group);
    using number = decltype(group.num_threads());
    if (set.count() == 1) return static_cast<number>(this_machine::count_team(whole_block, predicate, op_name));
    const auto add = [](const number& a, const number& b) { return a + b; };
    if constexpr (sends_messages_v<blocks, number>) {
      grid_messages<blocks> messages(op_name);
      return messages.combine(static_cast<number>(this_machine::count_team(whole_block, predicate, op_name)),
                              plus<number>());
    } else if constexpr (takes_turns_v<blocks, number>) {
      return turns<>().template count<number>(set, predicate, op_name);
    } else {
      block_exchange<blocks> exchange(set, op_name);
      exchange.find_threads();
      const number mine = this_machine::count_team(whole_block, predicate, op_name);
      return exchange.combine(mine, exchange.is_first_thread(), exchange.count(), add).value.value;
    }
  }
};

}  // namespace detail
}  // namespace cohort
