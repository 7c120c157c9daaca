// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that may be missing, and the combination of such values: what is missing changes nothing.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "op.hpp"

namespace cohort {
namespace detail {

template <class T>
struct maybe {
  slot<T> value;
  bool present = false;

  COHORT_FN static maybe nothing() {
    maybe made;
    clear_value(made.value.value);
    return made;
  }
  COHORT_FN static maybe of(const T& known) {
    maybe made;
    copy_value(made.value.value, known);
    made.present = true;
    return made;
  }
};

template <class T, class Op>
COHORT_FN maybe<T> join(maybe<T> left, maybe<T> right, Op& op) {
  if (!left.present) return right;
  if (right.present) {
    const T combined = op(left.value.value, right.value.value);
    copy_value(left.value.value, combined);
  }
  return left;
}

// The operator for values that may be missing, made of the user's.
template <class T, class Op>
struct join_op {
  Op* op;
  COHORT_FN maybe<T> operator()(const maybe<T>& left, const maybe<T>& right) const { return join(left, right, *op); }
};

// A value that changes nothing when it is combined with another from either side, bit by bit, where the operator and
// the type are known to have one. (Not 0 for a sum of floating-point numbers: -0 + 0 is 0.)
template <class Op, class T>
struct neutral {
  static constexpr bool is_integer = is_integral_v<T> && !is_same_v<T, bool>;
  static constexpr bool is_sum = is_same_v<remove_cvref_t<Op>, plus<T>>;
  static constexpr bool is_known =
      (is_sum && (is_integer || is_floating_v<T>)) ||
      (is_integer && (is_same_v<remove_cvref_t<Op>, less<T>> || is_same_v<remove_cvref_t<Op>, greater<T>> ||
                      is_same_v<remove_cvref_t<Op>, bit_and<T>> || is_same_v<remove_cvref_t<Op>, bit_or<T>> ||
                      is_same_v<remove_cvref_t<Op>, bit_xor<T>>));
  COHORT_FN static T value() {
    if constexpr (is_floating_v<T>) {
      return -T{};
    } else {
      return identity_of<remove_cvref_t<Op>, T>::value();
    }
  }
};

// The tree of machine/derive.hpp over values that come one after another: level k holds the combination of 2^k
// values, as long as its bit of the number of values is set.
template <class T, class Op>
class running_tree {
 public:
  COHORT_FN explicit running_tree(Op& op) : op_(op) {}

  COHORT_DEVICE void push(maybe<T> next) {
    uint32_t level = 0;
    for (; ((count_ >> level) & 1u) != 0; ++level) next = join(levels_[level], next, op_);
    levels_[level] = next;
    ++count_;
  }
  // The combination of all so far.
  COHORT_DEVICE maybe<T> result() {
    maybe<T> all = maybe<T>::nothing();
    for (uint32_t level = 0; (count_ >> level) != 0; ++level) {
      if (((count_ >> level) & 1u) != 0) all = join(levels_[level], all, op_);
    }
    return all;
  }
  COHORT_FN void clear() { count_ = 0; }

 private:
  Op& op_;
  uint32_t count_ = 0;
  maybe<T> levels_[32];
};

}  // namespace detail
}  // namespace cohort
