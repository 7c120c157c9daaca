// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// any, all, count: what the threads of a group say to a question.
//
// Who takes part: all threads of the group that exist and have not returned.
// Who has the result: all of them.
// Cost on the CPU: up to a block, one rendezvous; above, one barrier of the group and three of the block.
#pragma once

#include "../base/config.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_voting_group() {
  static_assert(has_collectives_v<Group>,
                "any, all, count: this is no group that can vote: use a tile, a coalesced_group, a thread_block, a "
                "cluster_group, a grid_group or a multi_grid_group (a thread_group does not say which it is)");
  return has_collectives_v<Group>;
}

}  // namespace detail

// In how many threads the predicate is true; the number has the type of group.num_threads().
template <class Group>
COHORT_FN auto count(const Group& group, bool predicate) {
  if constexpr (detail::check_voting_group<Group>()) {
    return detail::dispatch<Group>::count(group, predicate, "count");
  } else {
    return 0u;
  }
}

// The predicate is true in at least one thread.
template <class Group>
COHORT_FN bool any(const Group& group, bool predicate) {
  if constexpr (detail::check_voting_group<Group>()) {
    return detail::dispatch<Group>::count(group, predicate, "any") != 0;
  } else {
    return predicate;
  }
}

// The predicate is true in all threads.
template <class Group>
COHORT_FN bool all(const Group& group, bool predicate) {
  if constexpr (detail::check_voting_group<Group>()) {
    return detail::dispatch<Group>::count(group, !predicate, "all") == 0;
  } else {
    return predicate;
  }
}

}  // namespace cohort
