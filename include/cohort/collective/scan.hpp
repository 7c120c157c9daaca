// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inclusive_scan, exclusive_scan: each thread's value combined with those of all lower ranks.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"
#include "../machine/this_machine.hpp"
#include "op.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_scanned_group() {
  static_assert(is_communicating_group_v<Group>,
                "inclusive_scan and exclusive_scan: this group cannot scan: use a tile of up to 32 threads "
                "(tiled_partition<32>(block)) or a coalesced_group");
  return true;
}

template <class T>
COHORT_ANY_SIDE constexpr bool check_first_value() {
  static_assert(is_default_constructible_v<T>,
                "exclusive_scan: rank 0 has no lower ranks and gets a value made by the type's default constructor, "
                "which this type lacks: use inclusive_scan");
  return is_default_constructible_v<T>;
}

}  // namespace detail

// Rank r gets op(... op(value of rank 0, value of rank 1) ..., value of rank r), in the order of machine/derive.hpp.
// Values, operators and cost as in reduce.
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> inclusive_scan(const Group& group, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  static_assert(detail::check_scanned_group<Group>(), "");
  if constexpr (detail::check_op<op_type, value_type>()) {
    const value_type own = value;
    return this_machine::inclusive_scan_lanes<value_type, op_type>(detail::group_access::lanes(group).bits, own, op,
                                                                   "inclusive_scan");
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
  static_assert(detail::check_scanned_group<Group>(), "");
  if constexpr (detail::check_op<op_type, value_type>() && detail::check_first_value<value_type>()) {
    const value_type own = value;
    const value_type first = detail::identity_of<detail::remove_cvref_t<Op>, value_type>::value();
    return this_machine::exclusive_scan_lanes<value_type, op_type>(detail::group_access::lanes(group).bits, own, first,
                                                                   op, "exclusive_scan");
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
