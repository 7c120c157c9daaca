// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members that every group has, as functions: sync, thread_rank, group_size.
#pragma once

#include "../base/config.hpp"
#include "../group/concept.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {

/// Waits until all threads of the group have arrived. Their writes before the call are visible after it.
/// @pre The launch is cooperative if the group is a grid.
template <class Group>
COHORT_FN void sync(const Group& group COHORT_AND_CALLED_AT) {
  static_assert(is_group_v<Group>, "sync: the argument is not a group");
  detail::sync_group(group COHORT_AND_HAND_ON);
}

/// The rank of the calling thread in the group, with the type of group.thread_rank().
template <class Group>
COHORT_FN auto thread_rank(const Group& group) {
  static_assert(is_group_v<Group>, "thread_rank: the argument is not a group");
  return group.thread_rank();
}

/// Number of threads of the group, with the type of group.num_threads().
template <class Group>
COHORT_FN auto group_size(const Group& group) {
  static_assert(is_group_v<Group>, "group_size: the argument is not a group");
  return group.num_threads();
}

}  // namespace cohort
