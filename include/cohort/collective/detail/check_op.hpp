// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile-time checks of a value type and an operator, shared by the reductions and the scans.
#pragma once

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace detail {

template <class Op, class T, class = void>
inline constexpr bool is_callable_op_v = false;
template <class Op, class T>
inline constexpr bool is_callable_op_v<Op, T, void_t<decltype(declval<Op&>()(declval<T&>(), declval<T&>()))>> = true;

template <class Op, class T>
COHORT_ANY_SIDE constexpr bool returns_value_type() {
  if constexpr (is_callable_op_v<Op, T>) {
    return is_same_v<remove_cvref_t<decltype(declval<Op&>()(declval<T&>(), declval<T&>()))>, T>;
  } else {
    return true;  // check_op() reports the operator itself
  }
}

// Checks at compile time the value type and the operator of a reduction or scan. Returns false after a failed
// assertion: the caller then skips its body, so no follow-up error hides the message.
template <class Op, class T>
COHORT_ANY_SIDE constexpr bool check_op() {
  static_assert(is_trivially_copyable_v<T>,
                "reduce and scan copy values from thread to thread: the value's type must be trivially copyable");
  static_assert(is_callable_op_v<Op, T>,
                "reduce and scan: the operator cannot be called with two values of the value's type");
  static_assert(returns_value_type<Op, T>(),
                "reduce and scan: the operator's result type differs from the value's type: give both the same type, "
                "as in plus<int>() for an int or a lambda that returns the type of its arguments");
  return is_trivially_copyable_v<T> && is_callable_op_v<Op, T> && returns_value_type<Op, T>();
}

}  // namespace detail
}  // namespace cohort
