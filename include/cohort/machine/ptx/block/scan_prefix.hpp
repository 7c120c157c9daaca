// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes before a place in the written order of a scan, made of what pieces on its left have together: each thread
// reads the pieces that it needs, and has fewer of them to combine and none to choose from.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../known_op.hpp"
#include "../words.hpp"
#include "combine.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

template <class T, class Op>
class scan_prefix {
 public:
  COHORT_FN scan_prefix() {
    if constexpr (has_identity) detail::copy_value(value_.value, identity_element<Op, T>());
  }
  // What is known already; if nothing is, the identity of operators that have one.
  COHORT_FN scan_prefix(const T& value, bool exists) : exists_(exists) { detail::copy_value(value_.value, value); }

  // Goes on, on the left, with those of Count values in the cells from `first` on that are before the place, in pieces
  // of up to Step. pre: they exist; place < 2 * Step, and place <= Count. (For other places a commuting operator has
  // some result, and any address is among the cells.)
  template <uint32_t Count, uint32_t Step = Count / 2>
  COHORT_FN void add(uint32_t first, uint32_t place, Op& op) {
    add_pieces<Count, Step>(first, place, only_here(4 * place), op);
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

  // (ptxas tests all bits of a word by one instruction, R2P, if they are not those of a word that was tested before.)
  template <uint32_t Count, uint32_t Step>
  COHORT_FN void add_pieces(uint32_t first, uint32_t place, uint32_t bits, Op& op) {
    detail::slot<T> piece[Step];
    team_cells<T>::read(piece, first + (place & (Count - 1u) & ~(2u * Step - 1u)));
    if constexpr (Step > 1) add_pieces<Count, Step / 2>(first, place, bits, op);
    add_piece(piece, (bits & 4 * Step) != 0, op);
  }
  template <uint32_t Count>
  COHORT_FN void add_piece(detail::slot<T> (&piece)[Count], bool is_there, Op& op) {
    if constexpr (has_identity) {
      T what = combine_values(piece, op);
      combine_if(is_there, value_.value, what, value_.value, op);
    } else if (is_there) {
      T what = combine_values(piece, op);
      if (exists_) {
        detail::copy_value(value_.value, op(what, value_.value));
      } else {
        detail::copy_value(value_.value, what);
      }
    }
    exists_ = exists_ || is_there;
  }

  detail::slot<T> value_;
  bool exists_ = false;
};

}  // namespace ptx
}  // namespace cohort
