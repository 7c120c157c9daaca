// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce: one value of all threads' values.
//
// Who takes part: all threads of the group that exist and have not returned; each calls with the same operator.
// Who has the result: all of them, the same to the bit.
// Order: the written tree of machine/reference.hpp, the lower rank on the left: lanes, then warps, then blocks, then
// grids. Cost on the CPU: up to a block, one rendezvous; above, one barrier of the group and three of the block.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_reduced_group() {
  static_assert(has_collectives_v<Group>,
                "reduce: this is no group that can reduce: use a tile, a coalesced_group, a thread_block, a "
                "cluster_group, a grid_group or a multi_grid_group (a thread_group does not say which it is)");
  return has_collectives_v<Group>;
}

}  // namespace detail

// The values of all threads of the group, combined with `op`.
//   group  a tile of any size, a coalesced_group, thread_block, cluster_group, grid_group (with the launch's workspace)
//          or multi_grid_group
//   value  any trivially copyable type of any size
//   op     associative, the same in all threads; need not be commutative
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> reduce(const Group& group, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_reduced_group<Group>() && detail::check_op<op_type, value_type>()) {
    const value_type own = value;
    return detail::dispatch<Group>::template reduce<value_type, op_type>(group, own, op, "reduce");
  } else {
    return value;
  }
}

}  // namespace cohort
