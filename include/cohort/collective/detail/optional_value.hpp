// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that may be missing, and the combination of such values: what is missing changes nothing.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace detail {

template <class T>
struct optional_value {
  slot<T> value;
  bool present = false;

  COHORT_FN static optional_value none() {
    optional_value made;
    clear_value(made.value.value);
    return made;
  }
  COHORT_FN static optional_value of(const T& known) {
    optional_value made;
    copy_value(made.value.value, known);
    made.present = true;
    return made;
  }
};

template <class T, class Op>
COHORT_FN optional_value<T> join(optional_value<T> left, optional_value<T> right, Op& op) {
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
  COHORT_FN optional_value<T> operator()(const optional_value<T>& left, const optional_value<T>& right) const {
    return join(left, right, *op);
  }
};

// The tree of machine/reference.hpp over values that come one after another: level k holds the combination of 2^k
// values, as long as its bit of the number of values is set.
template <class T, class Op>
class running_tree {
 public:
  COHORT_FN explicit running_tree(Op& op) : op_(op) {}

  COHORT_DEVICE void push(optional_value<T> next) {
    uint32_t level = 0;
    for (; ((count_ >> level) & 1u) != 0; ++level) next = join(levels_[level], next, op_);
    levels_[level] = next;
    ++count_;
  }
  // The combination of all so far.
  COHORT_DEVICE optional_value<T> result() {
    optional_value<T> all = optional_value<T>::none();
    for (uint32_t level = 0; (count_ >> level) != 0; ++level) {
      if (((count_ >> level) & 1u) != 0) all = join(levels_[level], all, op_);
    }
    return all;
  }
  COHORT_FN void clear() { count_ = 0; }

 private:
  Op& op_;
  uint32_t count_ = 0;
  optional_value<T> levels_[32];
};

}  // namespace detail
}  // namespace cohort
