// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators that the library recognizes, and their algebra: which commute, which have an identity element or an
// inverse, and the value with which an exclusive scan begins.
#pragma once

#include <stdint.h>

#include "config.hpp"
#include "types.hpp"

namespace cohort {

/// Addition: `a + b`, converted back to T. Default operator of the scans.
template <class T>
struct plus {
  /// Returns the sum of `a` and `b`.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};

/// Minimum: the smaller value, and `a` where neither is smaller. T needs only `operator<`.
/// Returns a value, unlike std::less, which returns a bool; the name is CUDA's.
template <class T>
struct less {
  /// Returns the smaller of `a` and `b`.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};

/// Maximum: the greater value, and `a` where neither is greater. T needs only `operator<`.
/// Returns a value, unlike std::greater, which returns a bool; the name is CUDA's.
template <class T>
struct greater {
  /// Returns the greater of `a` and `b`.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};

/// Bitwise and: `a & b`, converted back to T.
template <class T>
struct bit_and {
  /// Returns the bits that are set in both `a` and `b`.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a & b); }
};

/// Bitwise or: `a | b`, converted back to T.
template <class T>
struct bit_or {
  /// Returns the bits that are set in `a`, in `b` or in both.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a | b); }
};

/// Bitwise exclusive or: `a ^ b`, converted back to T.
template <class T>
struct bit_xor {
  /// Returns the bits that are set in exactly one of `a` and `b`.
  COHORT_ANY_SIDE constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a ^ b); }
};

namespace detail {

enum class known_op { none, plus, less, greater, bit_and, bit_or, bit_xor };

// Identifies Op, const or not, among the library's operators on values of type T; `none` for any other operator.
template <class Op, class T>
inline constexpr known_op known_op_v = known_op::none;
template <class Op, class T>
inline constexpr known_op known_op_v<const Op, T> = known_op_v<Op, T>;
template <class T>
inline constexpr known_op known_op_v<plus<T>, T> = known_op::plus;
template <class T>
inline constexpr known_op known_op_v<less<T>, T> = known_op::less;
template <class T>
inline constexpr known_op known_op_v<greater<T>, T> = known_op::greater;
template <class T>
inline constexpr known_op known_op_v<bit_and<T>, T> = known_op::bit_and;
template <class T>
inline constexpr known_op known_op_v<bit_or<T>, T> = known_op::bit_or;
template <class T>
inline constexpr known_op known_op_v<bit_xor<T>, T> = known_op::bit_xor;

// True if the operator has no state: any default-constructed object of its class is equivalent.
template <class Op, class T>
inline constexpr bool is_stateless_v = known_op_v<Op, T> != known_op::none;

// Integer operators with two's-complement arithmetic, as redux and inverses need. Excludes bool: true + true is true,
// so a sum has no inverse.
template <class Op, class T>
inline constexpr bool is_integer_op_v = known_op_v<Op, T> != known_op::none && is_integral_v<T> && !is_same_v<T, bool>;

// True if op(a, b) and op(b, a) have equal bits. Floating-point sums commute except for the payload of a NaN of 64 bits
// (a GPU computes one canonical NaN of 32 bits). Floating-point minimum and maximum do not commute: +0 and -0 compare
// equal and have different bits.
template <class Op, class T>
inline constexpr bool commutes_v = is_integer_op_v<Op, T> || (known_op_v<Op, T> == known_op::plus && is_floating_v<T>);

// True if identity_element() exists: commuting operators have a bitwise identity element.
template <class Op, class T>
inline constexpr bool has_identity_element_v = commutes_v<Op, T>;

// Finite bounds of an arithmetic type.
template <class T>
struct finite_range {
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
struct finite_range<float> {
  COHORT_ANY_SIDE static constexpr float max() { return 0x1.fffffep+127f; }
  COHORT_ANY_SIDE static constexpr float lowest() { return -0x1.fffffep+127f; }
};
template <>
struct finite_range<double> {
  COHORT_ANY_SIDE static constexpr double max() { return 0x1.fffffffffffffp+1023; }
  COHORT_ANY_SIDE static constexpr double lowest() { return -0x1.fffffffffffffp+1023; }
};

// The value that an exclusive scan returns to rank 0: all bits set for bit_and, the largest finite value for less, the
// lowest for greater, and T{} for any other operator or type. It differs from identity_element() for floating-point
// sums: here it is +0, as in CUDA.
template <class Op, class T>
COHORT_ANY_SIDE constexpr T initial_value() {
  constexpr known_op op = known_op_v<Op, T>;
  if constexpr (op == known_op::less && (is_integral_v<T> || is_floating_v<T>)) {
    return finite_range<T>::max();
  } else if constexpr (op == known_op::greater && (is_integral_v<T> || is_floating_v<T>)) {
    return finite_range<T>::lowest();
  } else if constexpr (op == known_op::bit_and && is_same_v<T, bool>) {
    return true;
  } else if constexpr (op == known_op::bit_and && is_integral_v<T>) {
    return static_cast<T>(~T{0});
  } else {
    return T{};
  }
}

// The operator's bitwise identity element e: op(e, x) and op(x, e) have the bits of x. For floating-point sums it is
// -0, because +0 + -0 is +0.
template <class Op, class T>
COHORT_ANY_SIDE constexpr T identity_element() {
  static_assert(has_identity_element_v<Op, T>, "identity_element: the operator has none on this type");
  if constexpr (is_floating_v<T>) {
    return static_cast<T>(-0.0);
  } else {
    return initial_value<Op, T>();
  }
}

// True if apply_inverse() exists: the operator has an inverse on integers.
template <class Op, class T>
inline constexpr bool is_invertible_v =
    is_integer_op_v<Op, T> && (known_op_v<Op, T> == known_op::plus || known_op_v<Op, T> == known_op::bit_xor);

// Undoes one operand: returns x with op(x, b) == a.
template <class Op, class T>
COHORT_ANY_SIDE constexpr T apply_inverse(T a, T b) {
  static_assert(is_invertible_v<Op, T>, "apply_inverse: the operator has no inverse on this type");
  if constexpr (known_op_v<Op, T> == known_op::bit_xor) {
    return static_cast<T>(a ^ b);
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
}

}  // namespace detail
}  // namespace cohort
