// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inclusive_scan, exclusive_scan: each thread's value combined with those of all lower ranks.
//
// Who takes part: all threads of the group that exist and have not returned; each calls with the same operator.
// Who has the result: each thread its own.
// Order: the written tree of machine/reference.hpp, the lower rank on the left. A block's threads are scanned first;
// then each is combined, on the right, with the reduction of the totals of the blocks before (in a multi-grid: of the
// grids before, then of the blocks before in the own grid). Cost on the CPU: up to a block, one rendezvous; above, one
// barrier of the group and three to six of the block.
#pragma once

#include "../base/config.hpp"
#include "../base/op.hpp"
#include "../base/types.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_scanned_group() {
  static_assert(has_collectives_v<Group>,
                "inclusive_scan and exclusive_scan: this is no group that can scan: use a tile, a coalesced_group, a "
                "thread_block, a cluster_group, a grid_group or a multi_grid_group (a thread_group does not say which "
                "it is)");
  return has_collectives_v<Group>;
}

template <class T>
COHORT_ANY_SIDE constexpr bool check_first_value() {
  static_assert(is_default_constructible_v<T>,
                "exclusive_scan: rank 0 has no lower ranks and gets a value made by the type's default constructor, "
                "which this type lacks: use inclusive_scan");
  return is_default_constructible_v<T>;
}

}  // namespace detail

// Rank r gets op(... op(value of rank 0, value of rank 1) ..., value of rank r). Groups, values and operators as in
// reduce.
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan(const Group& group, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>()) {
    const value_type own = value;
    return detail::dispatch<Group>::template inclusive_scan<value_type, op_type>(group, own, op, "inclusive_scan");
  } else {
    return value;
  }
}
// The same with plus.
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, detail::forward<T>(value), plus<detail::remove_cvref_t<T>>());
}

// Rank r gets what inclusive_scan gives to rank r - 1. Rank 0 gets the operator's identity where the library knows it
// (plus, bit_or, bit_xor: 0; less: the largest finite value; greater: the lowest; bit_and: all bits set), else T{}.
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan(const Group& group, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_first_value<value_type>()) {
    const value_type own = value;
    const value_type first = detail::initial_value<detail::remove_cvref_t<Op>, value_type>();
    return detail::dispatch<Group>::template exclusive_scan<value_type, op_type>(group, own, first, op,
                                                                                 "exclusive_scan");
  } else {
    return value;
  }
}
// The same with plus.
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, detail::forward<T>(value), plus<detail::remove_cvref_t<T>>());
}

}  // namespace cohort
