// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans in a gang, where the lanes of a warp run in step: each step permutes values and combines them,
// without a rendezvous. The operands of each combination are those of base/tree.hpp, so the bits are equal.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../base/types.hpp"
#include "lane_values.hpp"
#include "port.hpp"
#include "position.hpp"

namespace cohort {
namespace cpu {

// Whether lane_tree may combine T with Op. It also combines values that no result needs, so Op must have no state or
// side effects.
template <class T, class Op>
inline constexpr bool has_lane_tree = detail::is_stateless_v<Op, T> && (sizeof(T) == 4 || sizeof(T) == 8);

// Reductions and scans of `Size` adjacent lanes. pre: cohort_gang_lanes() == all_lanes; Size is a power of two; each
// lane has a value
template <uint32_t Size>
struct lane_tree {
  template <class T, class Op>
  COHORT_FN static T reduce(const T& value, Op& op) {
    const uint32_t lane = position::lane();
    T sum = value;
    for (uint32_t step = 1; step < Size; step *= 2) {
      // Lanes at multiples of 2 * step combine their sum with that of the lane `step` above; sums of other lanes are
      // unused. Exchanging pairs of lanes is the cheapest permutation: it moves full vector registers, or quarters of
      // them.
      const T higher = permute(sum, lane ^ step);
      sum = op(sum, higher);
    }
    return permute(sum, lane & ~(Size - 1u));
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan(const T& value, Op& op) {
    const uint32_t lane = position::lane();
    T sum = value;
    for (uint32_t step = 1; step < Size; step *= 2) {
      const T lower = permute(sum, (lane & ~(2 * step - 1u)) + step - 1u);
      const T both = op(lower, sum);
      sum = (lane & step) != 0 ? both : sum;
    }
    return sum;
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan(const T& value, const T& first, Op& op) {
    const uint32_t lane = position::lane();
    const T lower = permute(inclusive_scan(value, op), (lane + 31u) % 32u);
    return lane % Size == 0 ? first : lower;
  }

 private:
  template <class T>
  COHORT_FN static T permute(const T& value, uint32_t source) {
    detail::slot<T> result;
    if constexpr (sizeof(T) == 4) {
      uint32_t word;
      COHORT_COPY_BYTES(&word, &value, 4);
      word = cohort_gang_permute32(word, source);
      COHORT_COPY_BYTES(static_cast<void*>(&result.value), &word, 4);
    } else {
      uint64_t word;
      COHORT_COPY_BYTES(&word, &value, 8);
      word = cohort_gang_permute64(word, source);
      COHORT_COPY_BYTES(static_cast<void*>(&result.value), &word, 8);
    }
    return result.value;
  }
};

}  // namespace cpu
}  // namespace cohort
