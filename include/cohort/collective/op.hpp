// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators whose meaning the library knows, and what it asks of any operator.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"

namespace cohort {

template <class T>
struct plus {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};
// The smaller value (not a bool); the first where neither is smaller. Needs operator< alone, as greater does.
template <class T>
struct less {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
// The greater value; the first where neither is greater.
template <class T>
struct greater {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a ^ b); }
};

namespace detail {

// Largest and lowest finite value of an arithmetic type.
template <class T>
struct limits {
  static constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  COHORT_ANY_SIDE static constexpr T max() {
    if constexpr (is_same_v<T, bool>)
      return true;
    else if constexpr (is_signed)
      return static_cast<T>((1ull << (8 * sizeof(T) - 1)) - 1);
    else
      return static_cast<T>(~0ull);
  }
  COHORT_ANY_SIDE static constexpr T lowest() {
    if constexpr (is_signed)
      return static_cast<T>(-max() - 1);
    else
      return static_cast<T>(0);
  }
};
template <>
struct limits<float> {
  COHORT_ANY_SIDE static constexpr float max() { return 0x1.fffffep+127f; }
  COHORT_ANY_SIDE static constexpr float lowest() { return -0x1.fffffep+127f; }
};
template <>
struct limits<double> {
  COHORT_ANY_SIDE static constexpr double max() { return 0x1.fffffffffffffp+1023; }
  COHORT_ANY_SIDE static constexpr double lowest() { return -0x1.fffffffffffffp+1023; }
};

// What an exclusive scan gives to rank 0: the operator's identity where it is known, else T{}.
template <class Op, class T>
struct identity_of {
  COHORT_ANY_SIDE static constexpr T value() { return T{}; }
};
template <class T>
struct identity_of<less<T>, T> {
  COHORT_ANY_SIDE static constexpr T value() {
    if constexpr (is_integral_v<T> || is_floating_v<T>)
      return limits<T>::max();
    else
      return T{};
  }
};
template <class T>
struct identity_of<greater<T>, T> {
  COHORT_ANY_SIDE static constexpr T value() {
    if constexpr (is_integral_v<T> || is_floating_v<T>)
      return limits<T>::lowest();
    else
      return T{};
  }
};
template <class T>
struct identity_of<bit_and<T>, T> {
  COHORT_ANY_SIDE static constexpr T value() {
    if constexpr (is_same_v<T, bool>)
      return true;
    else if constexpr (is_integral_v<T>)
      return static_cast<T>(~T{0});
    else
      return T{};
  }
};

template <class Op, class T, class = void>
inline constexpr bool is_callable_op_v = false;
template <class Op, class T>
inline constexpr bool is_callable_op_v<Op, T, void_t<decltype(declval<Op&>()(declval<T&>(), declval<T&>()))>> = true;

template <class Op, class T>
COHORT_ANY_SIDE constexpr bool returns_value_type() {
  if constexpr (is_callable_op_v<Op, T>) {
    return is_same_v<remove_cvref_t<decltype(declval<Op&>()(declval<T&>(), declval<T&>()))>, T>;
  } else {
    return true;  // the other sentence says what is wrong
  }
}

// The promises of reduce and scan that can be checked at compile time. False where a sentence was said, so that it is
// not followed by the errors of what cannot be compiled.
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
