// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// any, all, count: what the threads of a group say to a question. All threads call, all have the answer.
#pragma once

#include "../base/bits.hpp"
#include "../base/config.hpp"
#include "../group/concept.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_voting_group() {
  static_assert(is_communicating_group_v<Group>,
                "any, all, count: this group cannot vote: use a tile of up to 32 threads (tiled_partition<32>(block)) "
                "or a coalesced_group");
  return true;
}

}  // namespace detail

// The predicate is true in at least one thread.
template <class Group>
COHORT_FN bool any(const Group& group, bool predicate) {
  static_assert(detail::check_voting_group<Group>(), "");
  return group.any(predicate ? 1 : 0) != 0;
}

// The predicate is true in all threads.
template <class Group>
COHORT_FN bool all(const Group& group, bool predicate) {
  static_assert(detail::check_voting_group<Group>(), "");
  return group.all(predicate ? 1 : 0) != 0;
}

// In how many threads the predicate is true.
template <class Group>
COHORT_FN unsigned int count(const Group& group, bool predicate) {
  static_assert(detail::check_voting_group<Group>(), "");
  return detail::popcount(group.ballot(predicate ? 1 : 0));
}

}  // namespace cohort
