// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// broadcast: one thread's value for all.
//
// Who takes part: all threads of the group that exist and have not returned; each calls with the same rank.
// Who has the result: all of them. Zero bytes if the thread with that rank does not exist or has returned.
// Cost on the CPU: up to a block, one rendezvous; above, one barrier of the group and one of the block.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group, class T>
COHORT_ANY_SIDE constexpr bool check_broadcast() {
  static_assert(has_collectives_v<Group>,
                "broadcast: this is no group that can broadcast: use a tile, a coalesced_group, a thread_block, a "
                "cluster_group, a grid_group or a multi_grid_group (a thread_group does not say which it is)");
  static_assert(is_trivially_copyable_v<T>,
                "broadcast copies the bytes of a value to other threads: its type must be trivially copyable");
  return has_collectives_v<Group> && is_trivially_copyable_v<T>;
}

}  // namespace detail

// The value of the thread with rank `rank`, for all threads of the group. Any trivially copyable type of any size.
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> broadcast(const Group& group, T&& value, unsigned long long rank = 0) {
  using value_type = detail::remove_cvref_t<T>;
  if constexpr (detail::check_broadcast<Group, value_type>()) {
    const value_type own = value;
    return detail::dispatch<Group>::broadcast(group, own, rank, "broadcast");
  } else {
    return value;
  }
}

}  // namespace cohort
