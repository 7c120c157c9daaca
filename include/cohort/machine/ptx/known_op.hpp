// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that the machine knows: those that the hardware has, and those whose operands may change places.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {

template <class T>
struct plus;
template <class T>
struct less;
template <class T>
struct greater;
template <class T>
struct bit_and;
template <class T>
struct bit_or;
template <class T>
struct bit_xor;

namespace ptx {

enum class known_op { none, plus, less, greater, bit_and, bit_or, bit_xor };

// The operator that Op, const or not, is for values of type T.
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

// Integers of which a reduction has the same bits in any order. (bool is none: it adds to 1.)
template <class Op, class T>
inline constexpr bool is_integer_op_v =
    known_op_v<Op, T> != known_op::none && detail::is_integral_v<T> && !detail::is_same_v<T, bool>;

// op(a, b) and op(b, a) have the same bits. A sum of floating-point numbers has them too, but for the payload of a NaN
// of 64 bits (of 32 bits a GPU computes only one NaN). Minimum and maximum have not: the zeros are equal and differ.
template <class Op, class T>
inline constexpr bool commutes_v =
    is_integer_op_v<Op, T> || (known_op_v<Op, T> == known_op::plus && detail::is_floating_v<T>);

// The value that such an operator leaves all others as they are with, to the bit.
template <class Op, class T>
COHORT_FN constexpr T identity_of() {
  static_assert(commutes_v<Op, T>, "identity_of: of operators that commute");
  constexpr known_op op = known_op_v<Op, T>;
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  if constexpr (detail::is_floating_v<T>) {
    return static_cast<T>(-0.0);
  } else if constexpr (op == known_op::less || op == known_op::greater) {
    constexpr T lowest = is_signed ? static_cast<T>(static_cast<T>(1) << (8 * sizeof(T) - 1)) : static_cast<T>(0);
    return op == known_op::greater ? lowest : static_cast<T>(~lowest);
  } else {
    return op == known_op::bit_and ? static_cast<T>(~static_cast<T>(0)) : static_cast<T>(0);
  }
}

// An object of this class is like any other, and can be made out of nothing.
template <class Op, class T>
inline constexpr bool is_stateless_v = known_op_v<Op, T> != known_op::none;

// a with b taken away again, where the operator has an inverse on integers.
template <class Op, class T>
inline constexpr bool is_invertible_v =
    is_integer_op_v<Op, T> && (known_op_v<Op, T> == known_op::plus || known_op_v<Op, T> == known_op::bit_xor);
template <class Op, class T>
COHORT_FN T take_away(T a, T b) {
  if constexpr (known_op_v<Op, T> == known_op::bit_xor) {
    return static_cast<T>(a ^ b);
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
}

}  // namespace ptx
}  // namespace cohort
