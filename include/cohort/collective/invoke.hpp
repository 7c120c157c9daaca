// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// invoke_one, invoke_one_broadcast: one thread of a group calls a function.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"

namespace cohort {

// One thread of the group, the one with rank 0, calls fn(arguments...). All threads of the group call invoke_one; it
// does not synchronise them. `fn` must not use collectives of the group.
template <class Group, class Fn, class... Arguments>
COHORT_FN void invoke_one(const Group& group, Fn&& fn, Arguments&&... arguments) {
  static_assert(is_group_v<Group>, "invoke_one: the first argument is not a group");
  if (group.thread_rank() == 0) {
    detail::forward<Fn>(fn)(detail::forward<Arguments>(arguments)...);
  }
}

// The same, and all threads get the result of the call, a trivially copyable value.
template <class Group, class Fn, class... Arguments>
COHORT_FN auto invoke_one_broadcast(const Group& group, Fn&& fn, Arguments&&... arguments) {
  using result = decltype(detail::forward<Fn>(fn)(detail::forward<Arguments>(arguments)...));
  using value_type = detail::remove_cvref_t<result>;
  static_assert(is_communicating_group_v<Group>,
                "invoke_one_broadcast: this group cannot broadcast: use a tile of up to 32 threads "
                "(tiled_partition<32>(block)) or a coalesced_group");
  static_assert(!detail::is_same_v<value_type, void>,
                "invoke_one_broadcast: the function returns nothing to broadcast: use invoke_one");
  detail::slot<value_type> shared;
  if (group.thread_rank() == 0) {
    const value_type own = detail::forward<Fn>(fn)(detail::forward<Arguments>(arguments)...);
    detail::copy_value(shared.value, own);
  } else {
    detail::clear_value(shared);
  }
  return group.shfl(shared, 0).value;
}

}  // namespace cohort
