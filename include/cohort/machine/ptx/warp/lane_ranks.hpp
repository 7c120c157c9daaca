// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From ranks in a set of lanes to lanes, and back, without a loop.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../redux.hpp"
#include "../vote.hpp"

namespace cohort {
namespace ptx {

struct lane_ranks {
  static constexpr bool has_lane_ranks = true;

  // The lane with rank `rank` in the mask. pre: there is one. What depends on the mask alone stands first, so that a
  // compiler can move it out of a loop.
  COHORT_FN static uint32_t lane_of(uint32_t mask, uint32_t rank) {
    // In byte j: the lanes of the mask up to the end of nibble 2j, and up to the end of nibble 2j + 1.
    uint32_t counts = mask - ((mask >> 1) & 0x55555555u);
    counts = (counts & 0x33333333u) + ((counts >> 2) & 0x33333333u);
    const uint32_t odd = (counts >> 4) & 0x0f0f0f0fu;
    const uint32_t odd_ends = ((counts & 0x0f0f0f0fu) + odd) * 0x01010101u;
    const uint32_t even_ends = odd_ends - odd;
    // Byte n of these two words: the lanes below nibble n.
    const uint32_t below_low = __byte_perm(odd_ends << 8, even_ends, 0x5140);
    const uint32_t below_high = __byte_perm(odd_ends << 8, even_ends, 0x7362);

    // Bit 7 or 6 of each byte: that nibble ends at or below the rank. So many nibbles are passed over.
    const uint32_t even_passed = rank * 0x01010101u + (0x80808080u - even_ends);
    const uint32_t odd_passed = rank * 0x01010101u + (0x40404040u - odd_ends);
    const uint32_t nibble = detail::popcount((even_passed & 0x80808080u) | (odd_passed & 0x40404040u));
    const uint32_t left = rank - __byte_perm(below_low, below_high, nibble);
    const uint32_t lanes = (mask >> (4 * nibble)) & 15u;
    // Byte i of the table: the positions of the first, second, third and fourth bit in i, two bits each.
    const uint32_t low = __byte_perm(0x04010000u, 0x24090802u, lanes & 7u);
    const uint32_t high = __byte_perm(0x340d0c03u, 0xe439380eu, lanes & 7u);
    const uint32_t positions = lanes < 8 ? low : high;
    return 4 * nibble + ((positions >> (2 * left)) & 3u);
  }

  // `lanes` with bit positions turned from lanes into ranks (Hacker's Delight, "compress"): each lane moves down by the
  // lanes below it that are not in the mask, by the powers of two in that number.
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

  // `rank` modulo `size`, as a rank: -1 is the last. Without a branch, and without a division that depends on the rank.
  COHORT_FN static uint32_t wrap_rank(uint32_t size, int rank) {
    const uint32_t reciprocal = 0xffffffffu / size;
    const uint32_t multiple = 0x80000000u / size * size + size;  // of size; the lowest int becomes positive with it
    const uint32_t positive = static_cast<uint32_t>(rank) + (rank < 0 ? multiple : 0u);
    const uint32_t rest = positive - __umulhi(positive, reciprocal) * size;  // below 2 * size
    return min(rest, rest - size);
  }

  // A ballot by ranks. `rank` is the caller's.
  COHORT_FN static uint32_t ballot_ranks(uint32_t mask, uint32_t rank, bool predicate, const char* what) {
    if constexpr (redux::exists) {
      return redux::either(mask, predicate ? 1u << rank : 0u);
    } else {
      return to_ranks(mask, vote::ballot(mask, predicate, what));
    }
  }
};

}  // namespace ptx
}  // namespace cohort
