// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of lanes of one warp, and the arithmetic between a lane and its rank in the set.
#pragma once

#include <stdint.h>

#include "bits.hpp"
#include "config.hpp"

namespace cohort {

namespace detail {

// The lanes, or warps of a block, that a mask can name.
inline constexpr uint32_t mask_size = 32;

}  // namespace detail

/// A set of lanes of one warp. A lane's rank in the set is the number of members below it.
struct lane_mask {
  uint32_t bits = 0;  ///< bit i: lane i is a member

  constexpr lane_mask() = default;
  /// The set with the bits of `set`.
  COHORT_ANY_SIDE constexpr explicit lane_mask(uint32_t set) : bits(set) {}

  /// Number of members.
  COHORT_ANY_SIDE constexpr uint32_t count() const { return detail::popcount(bits); }
  /// Whether `lane` is a member; false for lanes that a warp does not have.
  COHORT_ANY_SIDE constexpr bool contains(uint32_t lane) const {
    return lane < detail::mask_size && ((bits >> lane) & 1u) != 0;
  }
  /// The lowest member.
  /// @pre The set is not empty.
  COHORT_ANY_SIDE constexpr uint32_t first() const { return detail::lowest_bit(bits); }
  /// Whether all lanes between the lowest and the highest member are members.
  COHORT_ANY_SIDE constexpr bool is_contiguous() const { return ((bits + (bits & (0u - bits))) & bits) == 0; }
  /// Number of members below `lane`, which is the lane's rank if it is a member.
  COHORT_ANY_SIDE constexpr uint32_t rank_of(uint32_t lane) const {
    return detail::popcount(bits & ((1u << lane) - 1u));
  }

  /// The member with rank `rank`.
  /// @pre rank < count()
  COHORT_ANY_SIDE constexpr uint32_t lane_of(uint32_t rank) const {
    if (is_contiguous()) return first() + rank;
    uint32_t rest = bits;
    for (; rank != 0; --rank) rest &= rest - 1u;
    return detail::lowest_bit(rest);
  }

  /// Converts a set of lanes into a set of ranks: bit r of the result is the member with rank r. Lanes that are not
  /// members are dropped.
  COHORT_ANY_SIDE constexpr uint32_t to_ranks(uint32_t lanes) const {
    lanes &= bits;
    if (is_contiguous()) return bits == 0 ? 0 : lanes >> first();
    uint32_t ranks = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1u) ranks |= 1u << rank_of(detail::lowest_bit(rest));
    return ranks;
  }

  /// The members with ranks from `from` up to, not including, `to`.
  COHORT_ANY_SIDE constexpr lane_mask ranks(uint32_t from, uint32_t to) const {
    uint32_t taken = 0;
    uint32_t rest = bits;
    for (uint32_t rank = 0; rest != 0 && rank < to; ++rank, rest &= rest - 1u) {
      if (rank >= from) taken |= rest & (0u - rest);
    }
    return lane_mask(taken);
  }
};

}  // namespace cohort
