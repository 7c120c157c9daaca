// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// broadcast: one thread's value for all.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"

namespace cohort {

// The value of the thread with rank `rank` (the same in all threads), for all threads of the group.
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> broadcast(const Group& group, T&& value, unsigned int rank = 0) {
  static_assert(is_communicating_group_v<Group>,
                "broadcast: this group cannot broadcast: use a tile of up to 32 threads (tiled_partition<32>(block)) "
                "or a coalesced_group");
  return group.shfl(detail::forward<T>(value), static_cast<int>(rank));
}

}  // namespace cohort
