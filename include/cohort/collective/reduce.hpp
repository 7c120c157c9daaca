// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce: one value of all threads' values.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"
#include "../machine/this_machine.hpp"
#include "op.hpp"

namespace cohort {
namespace detail {

template <class Group>
COHORT_ANY_SIDE constexpr bool check_reduced_group() {
  static_assert(is_communicating_group_v<Group>,
                "reduce: this group cannot reduce: use a tile of up to 32 threads (tiled_partition<32>(block)) or a "
                "coalesced_group");
  return true;
}

}  // namespace detail

// The values of all threads of the group, combined with `op`; all threads call and all have the result, the same to
// the bit.
//   value  any trivially copyable type
//   op     associative, the same in all threads; need not be commutative: the lower rank's value is the left operand
// Order: see machine/derive.hpp. Cost on the CPU: one rendezvous of the group.
template <class Group, class T, class Op>
COHORT_FN detail::remove_cvref_t<T> reduce(const Group& group, T&& value, Op&& op) {
  using value_type = detail::remove_cvref_t<T>;
  using op_type = detail::remove_reference_t<Op>;
  static_assert(detail::check_reduced_group<Group>(), "");
  if constexpr (detail::check_op<op_type, value_type>()) {
    const value_type own = value;
    return this_machine::reduce_lanes<value_type, op_type>(detail::group_access::lanes(group).bits, own, op, "reduce");
  } else {
    return value;
  }
}

}  // namespace cohort
