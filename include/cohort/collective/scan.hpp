// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inclusive_scan, exclusive_scan: combine each thread's value with those of all lower ranks.
//
// Above a block, each block scans its threads first. Then each result is combined, on the right, with the reduction of
// the totals of the lower blocks. In a multi-grid that is the reduction of the lower grids, then of the lower blocks of
// the same grid.
#pragma once

#include "../base/config.hpp"
#include "../base/op.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "detail/check_op.hpp"
#include "detail/dispatch.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_scanned_group() {
  static_assert(has_collectives_v<Group>,
                "inclusive_scan and exclusive_scan: this is no group that can scan: use a tile, a coalesced_group, a "
                "thread_block, a cluster_group, a grid_group, a multi_grid_group or a world_group (a thread_group does "
                "not say which "
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

/// Combines the values of ranks 0 to r, for each rank r.
///
/// The order is the written tree (docs/collectives.md), the lower rank on the left. Groups, values and operators are
/// those of reduce(). Cost on the CPU: up to a block one rendezvous; above a block one barrier of the group and three
/// of the block.
/// @return The combination for the caller's rank. The last rank gets the result of reduce().
/// @pre All threads of the group that have not returned call it.
/// @snippet examples/06_scan_allocation/scan_allocation.cu scan
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan(const Group& group, T&& value, Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>()) {
    COHORT_CHECKED_CALL_OF(inclusive_scan, detail::group_access::checked(group));
    const value_type own = value;
    return detail::dispatch<Group>::template inclusive_scan<value_type, op_type>(group, own, op, "inclusive_scan");
  } else {
    return value;
  }
}
/// Computes the inclusive scan with plus: inclusive_scan(group, value, plus<T>()).
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan(const Group& group, T&& value COHORT_AND_CALLED_AT) {
  return inclusive_scan(group, detail::forward<T>(value), plus<detail::remove_cvref_t<T>>() COHORT_AND_HAND_ON);
}

/// Combines the values of ranks 0 to r - 1, for each rank r.
///
/// Order, groups and operators are those of inclusive_scan(). Cost on the CPU: up to a block one rendezvous; above a
/// block one barrier of the group and five of the block.
/// @param value Of a trivially copyable type with a default constructor.
/// @return The combination for the caller's rank. Rank 0 gets the operator's initial value: 0 for plus, bit_or and
///         bit_xor, the largest finite value for less, the lowest for greater, all bits set for bit_and, else T{}.
/// @pre All threads of the group that have not returned call it.
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan(const Group& group, T&& value, Op&& op COHORT_AND_CALLED_AT) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  if constexpr (detail::check_scanned_group<Group>() && detail::check_op<op_type, value_type>() &&
                detail::check_first_value<value_type>()) {
    COHORT_CHECKED_CALL_OF(exclusive_scan, detail::group_access::checked(group));
    const value_type own = value;
    const value_type first = detail::initial_value<detail::remove_cvref_t<Op>, value_type>();
    return detail::dispatch<Group>::template exclusive_scan<value_type, op_type>(group, own, first, op,
                                                                                 "exclusive_scan");
  } else {
    return value;
  }
}
/// Computes the exclusive scan with plus: exclusive_scan(group, value, plus<T>()).
template <class Group, class T>
COHORT_FN detail::remove_cvref_t<T> exclusive_scan(const Group& group, T&& value COHORT_AND_CALLED_AT) {
  return exclusive_scan(group, detail::forward<T>(value), plus<detail::remove_cvref_t<T>>() COHORT_AND_HAND_ON);
}

}  // namespace cohort
