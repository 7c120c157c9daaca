// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion between lanes and their ranks in a mask, without loops.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "../redux.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"

namespace cohort {
namespace ptx {

struct lane_ranks {
  static constexpr bool has_lane_ranks = true;

  /// Rank of the caller in `mask`.
  COHORT_FN static uint32_t rank_in(uint32_t mask) { return detail::popcount(mask & identity::lanes_below()); }

  /// Lane whose rank in `mask` is `rank`. The part that depends only on the mask comes first, so a compiler can hoist
  /// it out of a loop.
  /// @pre rank < popcount(mask)
  COHORT_FN static uint32_t lane_of(uint32_t mask, uint32_t rank) {
    // Byte j of even_ends and odd_ends: the number of mask lanes up to the end of nibble 2j and of nibble 2j + 1.
    uint32_t counts = mask - ((mask >> 1) & 0x55555555u);
    counts = (counts & 0x33333333u) + ((counts >> 2) & 0x33333333u);
    const uint32_t odd = (counts >> 4) & 0x0f0f0f0fu;
    const uint32_t odd_ends = ((counts & 0x0f0f0f0fu) + odd) * 0x01010101u;
    const uint32_t even_ends = odd_ends - odd;
    // Byte n of the two words together: the number of mask lanes below nibble n.
    const uint32_t below_low = __byte_perm(odd_ends << 8, even_ends, 0x5140);
    const uint32_t below_high = __byte_perm(odd_ends << 8, even_ends, 0x7362);

    // Bit 7 (even) or 6 (odd) of a byte: that nibble ends at or below the rank. Their count is the rank's nibble.
    const uint32_t even_passed = rank * 0x01010101u + (0x80808080u - even_ends);
    const uint32_t odd_passed = rank * 0x01010101u + (0x40404040u - odd_ends);
    const uint32_t nibble = detail::popcount((even_passed & 0x80808080u) | (odd_passed & 0x40404040u));
    const uint32_t rank_in_nibble = rank - __byte_perm(below_low, below_high, nibble);
    // Byte i of the table: the positions of the first to third set bit of i, then position 3, two bits each. Position 3
    // is the last of its nibble, so bit 3, which __byte_perm ignores, need not select. The bits above belong to the
    // next nibbles, which select unused bytes.
    const uint32_t positions = __byte_perm(0x340d0c03u, 0xe439380eu, mask >> (4 * nibble));
    return 4 * nibble + ((positions >> (2 * rank_in_nibble)) & 3u);
  }

  /// Lane of rank `rank` modulo `size`, the number of lanes of `mask`. Rank 0 needs neither the division nor the
  /// search: where it is a constant, as in most programs, no other code is left. Otherwise both lanes are computed,
  /// because threads with different ranks would diverge at a branch.
  COHORT_FN static uint32_t lane_at(uint32_t mask, uint32_t size, int rank) {
    const uint32_t lowest = static_cast<uint32_t>(__ffs(static_cast<int>(mask))) - 1u;
    const uint32_t searched = lane_of(mask, wrap_rank(size, rank));
    return rank == 0 ? lowest : searched;
  }

  /// Value of a lane of `mask`.
  template <class T>
  COHORT_FN static T shuffle_member(uint32_t mask, const T& value, uint32_t lane, const char* /*op_name*/) {
    return shuffles::value_of(mask, value, lane);
  }

  /// Moves each bit of `lanes` from its lane to that lane's rank in `mask` (Hacker's Delight, "compress"). A bit moves
  /// down by the number of lanes below it that are not in the mask, one power of two at a time.
  COHORT_FN static uint32_t to_ranks(uint32_t mask, uint32_t lanes) {
    lanes &= mask;
    uint32_t holes = ~mask << 1;
#pragma unroll
    for (uint32_t step = 1; step < 32; step *= 2) {
      uint32_t odd = holes ^ holes << 1;  // bit i: the parity of the holes below lane i
      odd ^= odd << 2;
      odd ^= odd << 4;
      odd ^= odd << 8;
      odd ^= odd << 16;
      const uint32_t moves = odd & mask;
      const uint32_t moved = lanes & moves;
      lanes = (lanes ^ moved) | moved >> step;
      mask = (mask ^ moves) | moves >> step;
      holes &= ~odd;
    }
    return lanes;
  }

  /// `rank` modulo `size`, never negative: -1 is the last rank. No branch, and the division does not depend on the
  /// rank.
  COHORT_FN static uint32_t wrap_rank(uint32_t size, int rank) {
    const uint32_t reciprocal = 0xffffffffu / size;
    // A multiple of size that makes the lowest int positive.
    const uint32_t multiple = 0x80000000u / size * size + size;
    const uint32_t positive = static_cast<uint32_t>(rank) + (rank < 0 ? multiple : 0u);
    const uint32_t remainder = positive - __umulhi(positive, reciprocal) * size;  // below 2 * size
    return min(remainder, remainder - size);
  }

  /// Ballot whose result has a bit for each rank instead of each lane.
  /// @param rank the caller's rank in `mask`
  COHORT_FN static uint32_t ballot_ranks(uint32_t mask, uint32_t rank, bool predicate, const char* op_name) {
    if constexpr (redux::exists) {
      return redux::or_lanes(mask, predicate ? 1u << rank : 0u);
    } else {
      return to_ranks(mask, vote::ballot(mask, predicate, op_name));
    }
  }
};

}  // namespace ptx
}  // namespace cohort
