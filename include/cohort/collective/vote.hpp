// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// any, all, count: predicate votes over a group.
#pragma once

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_voting_group() {
  static_assert(
      has_collectives_v<Group>,
      "any, all, count: this is no group that can vote: use a tile, a coalesced_group, a thread_block, a "
      "cluster_group, a grid_group, a multi_grid_group or a world_group (a thread_group does not say which it is)");
  return has_collectives_v<Group>;
}

}  // namespace detail

/// Counts the threads in which the predicate is true.
///
/// Cost on the CPU: up to a block one rendezvous; above a block one barrier of the group and one of the block.
/// @param group A tile, coalesced_group, thread_block, cluster_group, grid_group with a workspace, multi_grid_group or
///              world_group.
/// @param predicate The calling thread's vote.
/// @return The number of threads, in all threads of the group, with the type of group.num_threads().
/// @pre All threads of the group that have not returned call it.
template <class Group>
COHORT_FN auto count(const Group& group, bool predicate COHORT_AND_CALLED_AT) {
  if constexpr (detail::check_voting_group<Group>()) {
    COHORT_CHECKED_CALL_OF(count, detail::group_access::checked(group));
    return detail::dispatch<Group>::count(group, predicate, "count");
  } else {
    return 0u;
  }
}

/// Whether the predicate is true in at least one thread. Groups, precondition and cost are those of count().
/// @return The result, in all threads of the group.
template <class Group>
COHORT_FN bool any(const Group& group, bool predicate COHORT_AND_CALLED_AT) {
  if constexpr (detail::check_voting_group<Group>()) {
    COHORT_CHECKED_CALL_OF(any, detail::group_access::checked(group));
    return detail::dispatch<Group>::count(group, predicate, "any") != 0;
  } else {
    return predicate;
  }
}

/// Whether the predicate is true in all threads. Groups, precondition and cost are those of count().
/// @return The result, in all threads of the group.
template <class Group>
COHORT_FN bool all(const Group& group, bool predicate COHORT_AND_CALLED_AT) {
  if constexpr (detail::check_voting_group<Group>()) {
    COHORT_CHECKED_CALL_OF(all, detail::group_access::checked(group));
    return detail::dispatch<Group>::count(group, !predicate, "all") == 0;
  } else {
    return predicate;
  }
}

}  // namespace cohort
