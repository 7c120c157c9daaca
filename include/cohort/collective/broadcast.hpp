// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// broadcast: delivers one thread's value to all threads of a group.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group, class T>
COHORT_ANY_SIDE constexpr bool check_broadcast() {
  static_assert(
      has_collectives_v<Group>,
      "broadcast: this is no group that can broadcast: use a tile, a coalesced_group, a thread_block, a "
      "cluster_group, a grid_group, a multi_grid_group or a world_group (a thread_group does not say which it is)");
  static_assert(is_trivially_copyable_v<T>,
                "broadcast copies the bytes of a value to other threads: its type must be trivially copyable");
  return has_collectives_v<Group> && is_trivially_copyable_v<T>;
}

}  // namespace detail

/// Delivers the value of one thread to all threads of the group.
///
/// Cost on the CPU: up to a block one rendezvous; above a block one barrier of the group and one of the block.
/// @param group A tile, coalesced_group, thread_block, cluster_group, grid_group with a workspace, multi_grid_group or
///              world_group.
/// @param value Of any trivially copyable type of any size.
/// @param rank The rank of the publisher, the same in all threads.
/// @return The publisher's value; zero bytes if that thread does not exist or has returned.
/// @pre All threads of the group that have not returned call it.
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> broadcast(const Group& group, T&& value,
                                              unsigned long long rank = 0 COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  if constexpr (detail::check_broadcast<Group, value_type>()) {
    COHORT_CHECKED_CALL_OF(broadcast, detail::group_access::checked(group));
    const value_type own = value;
    return detail::dispatch<Group>::broadcast(group, own, rank, "broadcast");
  } else {
    return value;
  }
}

}  // namespace cohort
