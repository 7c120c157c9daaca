// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that may be missing, and the operator on such values: a missing value is the identity element.
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

// The reductions of all blocks below one, in the two orders that an exclusive scan needs. `previous` has the bits of
// the inclusive scan at the previous block's last rank: the first thread of a block returns them.
template <class T>
struct lower_blocks {
  optional_value<T> prefix = optional_value<T>::none();    // combined in the written order
  optional_value<T> previous = optional_value<T>::none();  // blocks 0 .. rank - 2 in the written order, then rank - 1
};

// The operator on optional values that extends the user's operator.
template <class T, class Op>
struct join_op {
  Op* op;
  COHORT_FN optional_value<T> operator()(const optional_value<T>& left, const optional_value<T>& right) const {
    return join(left, right, *op);
  }
  COHORT_FN static optional_value<T> identity() { return optional_value<T>::none(); }
};

}  // namespace detail
}  // namespace cohort
