// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefix of a position, assembled from partial sums of power-of-two lengths. A thread reads only the partial sums
// that its position needs, so it combines fewer values and selects none.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../optimizer_barrier.hpp"
#include "../select.hpp"
#include "combine.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

template <class T, class Op>
class scan_prefix {
 public:
  /// The empty prefix: the identity element of operators that have one.
  COHORT_FN scan_prefix() {
    if constexpr (has_identity) detail::copy_value(value_.value, detail::identity_element<Op, T>());
  }
  /// A known prefix.
  /// @param exists false: `value` is the identity element, or ignored if the operator has none
  COHORT_FN scan_prefix(const T& value, bool exists) : exists_(exists) { detail::copy_value(value_.value, value); }

  /// Prepends the values of the slots [first, first + position), in segments of up to `Step` slots. For other positions
  /// a commuting operator has an unspecified result; all addresses stay within the `Count` slots.
  /// @pre the slots are written; position < 2 * Step and position <= Count
  template <uint32_t Count, uint32_t Step = Count / 2>
  COHORT_FN void prepend(uint32_t first, uint32_t position, Op& op) {
    prepend_segments<Count, Step>(first, position, pin_here(4 * position), op);
  }

  /// The value of the prefix.
  /// @pre the prefix is not empty, or the operator has an identity element
  COHORT_FN const T& value() const { return value_.value; }

  /// The prefix combined with `own`, or `own` if the prefix is empty.
  COHORT_FN T prepended_to(T own, Op& op) {
    combine_if(exists_, own, value_.value, own, op);
    return own;
  }
  /// prepended_to() without a branch where the operator has an identity element: it combines in all cases and selects.
  COHORT_FN T prepended_without_branch(T own, Op& op) {
    if constexpr (has_identity) {
      return select_by_mask(mask_if(exists_), op(value_.value, own), own);
    } else {
      return prepended_to(own, op);
    }
  }

 private:
  static constexpr bool has_identity = detail::has_identity_element_v<Op, T>;

  /// Prepends those segments of `Step` slots and fewer that the binary digits of `position` select.
  /// @param bits 4 * position: ptxas tests all bits of a word by one instruction (R2P) if no earlier test used the word
  template <uint32_t Count, uint32_t Step>
  COHORT_FN void prepend_segments(uint32_t first, uint32_t position, uint32_t bits, Op& op) {
    detail::slot<T> segment[Step];
    team_slots<T>::read(segment, first + (position & (Count - 1u) & ~(2u * Step - 1u)));
    if constexpr (Step > 1) prepend_segments<Count, Step / 2>(first, position, bits, op);
    prepend_segment(segment, (bits & 4 * Step) != 0, op);
  }
  template <uint32_t Count>
  COHORT_FN void prepend_segment(detail::slot<T> (&segment)[Count], bool exists, Op& op) {
    if constexpr (has_identity) {
      T partial = combine_values(segment, op);
      combine_if(exists, value_.value, partial, value_.value, op);
    } else if (exists) {
      T partial = combine_values(segment, op);
      if (exists_) {
        detail::copy_value(value_.value, op(partial, value_.value));
      } else {
        detail::copy_value(value_.value, partial);
      }
    }
    exists_ = exists_ || exists;
  }

  detail::slot<T> value_;
  bool exists_ = false;
};

}  // namespace ptx
}  // namespace cohort
