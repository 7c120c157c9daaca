// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members that every group has, as functions.
#pragma once

#include "../base/config.hpp"
#include "../group/concept.hpp"

namespace cohort {

// Barrier of the group: nobody passes before all threads of the group have called; what they wrote before is seen
// after. For a grid the launch must be cooperative.
template <class Group>
COHORT_FN void sync(const Group& group) {
  static_assert(is_group_v<Group>, "sync: the argument is not a group");
  group.sync();
}

// Rank of the calling thread in the group, with the type of group.thread_rank().
template <class Group>
COHORT_FN auto thread_rank(const Group& group) {
  static_assert(is_group_v<Group>, "thread_rank: the argument is not a group");
  return group.thread_rank();
}

// Threads of the group, with the type of group.num_threads().
template <class Group>
COHORT_FN auto group_size(const Group& group) {
  static_assert(is_group_v<Group>, "group_size: the argument is not a group");
  return group.num_threads();
}

}  // namespace cohort
