// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// invoke_one, invoke_one_broadcast: one thread of a group calls a function.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group, class T>
COHORT_ANY_SIDE constexpr bool check_invoked() {
  static_assert(has_collectives_v<Group>,
                "invoke_one_broadcast: this is no group that can broadcast: use a tile, a coalesced_group, a "
                "thread_block, a cluster_group, a grid_group, a multi_grid_group or a world_group (a thread_group does "
                "not say which "
                "it is)");
  static_assert(!is_same_v<T, void>, "invoke_one_broadcast: the function returns nothing to broadcast: use invoke_one");
  static_assert(is_same_v<T, void> || is_trivially_copyable_v<T>,
                "invoke_one_broadcast copies the bytes of the function's result to other threads: its type must be "
                "trivially copyable");
  return has_collectives_v<Group> && !is_same_v<T, void> && is_trivially_copyable_v<T>;
}

template <class Group, class Fn, class... Arguments>
COHORT_FN auto invoke_and_broadcast(const Group& group, Fn&& fn, Arguments&&... arguments) {
  using result = decltype(forward<Fn>(fn)(forward<Arguments>(arguments)...));
  using value_type = remove_cvref_t<result>;
  if constexpr (check_invoked<Group, value_type>()) {
    slot<value_type> shared;
    if (group.thread_rank() == 0) {
      const value_type own = forward<Fn>(fn)(forward<Arguments>(arguments)...);
      copy_value(shared.value, own);
    } else {
      clear_value(shared);
    }
    return dispatch<Group>::broadcast(group, shared, 0, "invoke_one_broadcast").value;
  } else {
    return;
  }
}

}  // namespace detail

/// Calls fn(arguments...) in the thread with rank 0. It does not synchronise the group and costs nothing.
/// @param group Any group.
/// @param fn A callable that uses no collective of the group.
/// @param arguments Passed to fn.
/// @snippet tests/collective/invoke_test.cpp invoke_one
template <class Group, class Fn, class... Arguments>
COHORT_FN void invoke_one(const Group& group, Fn&& fn, Arguments&&... arguments) {
  static_assert(is_group_v<Group>, "invoke_one: the first argument is not a group");
  if (group.thread_rank() == 0) {
    detail::forward<Fn>(fn)(detail::forward<Arguments>(arguments)...);
  }
}

/// Calls fn(arguments...) in the thread with rank 0 and delivers its result to all threads of the group. The cost is
/// that of broadcast().
/// @param group A tile, coalesced_group, thread_block, cluster_group, grid_group with a workspace, multi_grid_group or
///              world_group.
/// @param fn A callable that uses no collective of the group. Its result is trivially copyable, of any size.
/// @param arguments Passed to fn.
/// @return The result of the call.
/// @pre All threads of the group that have not returned call it.
#if COHORT_CHECKS_CALLS
template <class Group, class Fn>
COHORT_FN auto invoke_one_broadcast(const Group& group, Fn&& fn, COHORT_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(invoke_one_broadcast, detail::group_access::checked(group));
  return detail::invoke_and_broadcast(group, detail::forward<Fn>(fn));
}
// A parameter for the line cannot follow a pack. The overload is not chosen by an enable_if: nvcc would take the line
// of that for the line of the call.
template <class Group, class Fn, class First, class... Others>
COHORT_FN auto invoke_one_broadcast(const Group& group, Fn&& fn, First&& first, Others&&... others) {
  const ptx::call_line called_at("invoke_one_broadcast(group, function, arguments...)", 0);
  COHORT_CHECKED_CALL_OF(invoke_one_broadcast, detail::group_access::checked(group));
  return detail::invoke_and_broadcast(group, detail::forward<Fn>(fn), detail::forward<First>(first),
                                      detail::forward<Others>(others)...);
}
#else
template <class Group, class Fn, class... Arguments>
COHORT_FN auto invoke_one_broadcast(const Group& group, Fn&& fn, Arguments&&... arguments) {
  return detail::invoke_and_broadcast(group, detail::forward<Fn>(fn), detail::forward<Arguments>(arguments)...);
}
#endif

}  // namespace cohort
