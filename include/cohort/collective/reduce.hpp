// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce: combines the values of all threads of a group.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_reduced_group() {
  static_assert(
      has_collectives_v<Group>,
      "reduce: this is no group that can reduce: use a tile, a coalesced_group, a thread_block, a "
      "cluster_group, a grid_group, a multi_grid_group or a world_group (a thread_group does not say which it is)");
  return has_collectives_v<Group>;
}

}  // namespace detail

/// Combines the values of all threads of the group.
///
/// The order is the written tree (docs/collectives.md), the lower rank on the left: lanes, then warps, then blocks,
/// then grids. It depends only on the number of threads, so the result has equal bits in every thread and every run.
/// Cost on the CPU: up to a block one rendezvous. Above a block one barrier of the group, and one of the block in a
/// CUDA source (three for values of more than 248 bytes).
/// @param group A tile, coalesced_group, thread_block, cluster_group, grid_group with a workspace, multi_grid_group or
///              world_group.
/// @param value Of any trivially copyable type of any size.
/// @param op Associative, the same in all threads; it need not be commutative and uses no collective.
/// @return The combined value, in all threads of the group.
/// @pre All threads of the group that have not returned call it.
/// @snippet examples/04_reduction/reduction.cu reduce
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> reduce(const Group& group, T&& value, Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_reduced_group<Group>() && detail::check_op<op_type, value_type>()) {
    COHORT_CHECKED_CALL_OF(reduce, detail::group_access::checked(group));
    const value_type own = value;
    return detail::dispatch<Group>::template reduce<value_type, op_type>(group, own, op, "reduce");
  } else {
    return value;
  }
}

}  // namespace cohort
