// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes before a place in the written order of a scan, made of what pieces on its left have together.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "known_op.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

template <class T, class Op>
class scan_prefix {
 public:
  COHORT_FN scan_prefix() {
    if constexpr (has_identity) detail::copy_value(value_.value, identity_of<Op, T>());
  }
  // What is known already; if nothing is, the identity of operators that have one.
  COHORT_FN scan_prefix(const T& value, bool exists) : exists_(exists) { detail::copy_value(value_.value, value); }

  // Goes on with values on the left of what is there; the place is behind `place` of them, and `count` of them exist.
  template <uint32_t Count, uint32_t Step = 1>
  COHORT_FN void add(detail::slot<T> (&values)[Count], uint32_t place, uint32_t count, Op& op) {
    add_piece(pick<2 * Step>(values, place), (place & Step) != 0, op);
    if constexpr (2 * Step < Count) {
      combine_pairs<Step>(values, count, op);
      add<Count, 2 * Step>(values, place, count, op);
    }
  }
  // Combines also the last two pieces: values[0] becomes what all of them have together.
  template <uint32_t Count>
  COHORT_FN void add_and_total(detail::slot<T> (&values)[Count], uint32_t place, uint32_t count, Op& op) {
    add(values, place, count, op);
    combine_pairs<Count / 2>(values, count, op);
  }

  // pre: there is something, or the operator has an identity
  COHORT_FN const T& value() const { return value_.value; }

  COHORT_FN T before(T own, Op& op) {
    combine_if(exists_, own, value_.value, own, op);
    return own;
  }
  // The same; operators that have an identity are applied in any case, and nobody jumps.
  COHORT_FN T before_in_any_case(T own, Op& op) {
    if constexpr (has_identity) {
      return choose_by(mask_if(exists_), op(value_.value, own), own);
    } else {
      return before(own, op);
    }
  }

 private:
  static constexpr bool has_identity = commutes_v<Op, T>;

  // The one of the values at multiples of Stride in whose piece the place is.
  template <uint32_t Stride, uint32_t Count>
  COHORT_FN static T pick(const detail::slot<T> (&values)[Count], uint32_t place) {
    if constexpr (Stride == Count) {
      return values[0].value;
    } else {
      detail::slot<T> left[Count];
#pragma unroll
      for (uint32_t i = 0; i < Count; i += 2 * Stride) {
        detail::copy_value(left[i].value,
                           choose_by(mask_if((place & Stride) != 0), values[i + Stride].value, values[i].value));
      }
      return pick<2 * Stride>(left, place);
    }
  }

  COHORT_FN void add_piece(T piece, bool is_there, Op& op) {
    if constexpr (has_identity) {
      const T what = choose_by(mask_if(is_there), piece, identity_of<Op, T>());
      detail::copy_value(value_.value, op(what, value_.value));
    } else if (is_there) {
      if (exists_) {
        detail::copy_value(value_.value, op(piece, value_.value));
      } else {
        detail::copy_value(value_.value, piece);
      }
    }
    exists_ = exists_ || is_there;
  }

  template <uint32_t Step, uint32_t Count>
  COHORT_FN static void combine_pairs(detail::slot<T> (&values)[Count], uint32_t count, Op& op) {
#pragma unroll
    for (uint32_t i = 0; i < Count; i += 2 * Step) {
      const bool exists = has_identity || i + Step < count;
      combine_if(exists, values[i].value, values[i].value, values[i + Step].value, op);
    }
  }

  detail::slot<T> value_;
  bool exists_ = false;
};

}  // namespace ptx
}  // namespace cohort
