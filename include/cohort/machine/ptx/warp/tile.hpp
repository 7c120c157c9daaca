// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of up to 32 threads, whose size the compiler knows: masks that are constants where that is possible, and
// exchanges at fixed distances.
//
// The mask of a tile names also lanes that a cut block does not have: for the hardware they are lanes that have
// returned.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../known_op.hpp"
#include "../redux.hpp"
#include "../shuffle.hpp"
#include "../words.hpp"

namespace cohort {
namespace ptx {

struct tile {
  static constexpr bool has_tile = true;

  template <uint32_t Size>
  COHORT_FN static uint32_t tile_mask(uint32_t /*existing*/) {
    return tile_mask<Size>();
  }

  // From a lane that a cut block does not have: what the hardware gives, as in CUDA.
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile(uint32_t /*existing*/, const T& value, uint32_t rank, const char* /*what*/) {
    return shuffles::value_of<Size>(tile_mask<Size>(), value, rank);
  }

  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_down(uint32_t /*existing*/, const T& value, uint32_t delta, const char* /*what*/) {
    return shuffles::value_above<Size>(tile_mask<Size>(), value, delta);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_up(uint32_t /*existing*/, const T& value, uint32_t delta, const char* /*what*/) {
    return shuffles::value_below<Size>(tile_mask<Size>(), value, delta < Size ? delta : 0);
  }

  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_tile(uint32_t existing, const T& value, Op& op, const char* /*what*/) {
    if constexpr (Size == 1) {
      return value;
    } else if constexpr (redux::takes<T, Op> && Size >= 16) {
      return redux::reduce<Op>(tile_mask<Size>(), value);
    } else if constexpr (Size < 32) {
      if (all_lanes_are_here()) return reduce_halves<Size>(value, op);
      return reduce_existing<Size>(existing, value, op);
    } else {
      const T mine = combine_existing<1>(existing, value, shuffles::value_across<1>(tile_mask<Size>(), value), op);
      const T other = shuffles::value_across<2>(tile_mask<Size>(), mine);
      // The ways part while the second exchange is under way, which costs nothing.
      if (blockDim.x * blockDim.y * blockDim.z % 32 == 0) {
        asm volatile("// 32 lanes");
        return reduce_halves<Size, 4>(combine_across<2>(mine, other, op), op);
      }
      return reduce_existing<Size, 4>(existing, combine_existing<2>(existing, mine, other, op), op);
    }
  }

  // In a block whose last warp is not whole. Step k combines two halves of 2^k lanes; all lanes of both have the
  // result, for partners combine the same two values in the same order. Where the block ends within a higher half,
  // lanes without a partner get nothing right: the first lane of each half always has one if anybody has, and so the
  // tile's first lane ends with the result, and says it.
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T reduce_existing(uint32_t existing, const T& value, Op& op) {
    if constexpr (Step == Size) {
      return shuffles::value_of<Size>(tile_mask<Size>(), value, 0);
    } else {
      const T other = shuffles::value_across<Step>(tile_mask<Size>(), value);
      return reduce_existing<Size, 2 * Step>(existing, combine_existing<Step>(existing, value, other, op), op);
    }
  }

  template <uint32_t Size, class T, class Op>
  COHORT_FN static T inclusive_scan_tile(uint32_t /*existing*/, const T& value, Op& op, const char* /*what*/) {
    if constexpr (Size == 1) {
      return value;
    } else {
      const uint32_t twice_lane = 2 * identity::lane();
      if (Size < 32 && all_lanes_are_here()) return scan<Size>(0xffffffffu, value, twice_lane, op);
      return scan<Size>(tile_mask<Size>(), value, twice_lane, op);
    }
  }

  template <uint32_t Size, class T, class Op>
  COHORT_FN static T exclusive_scan_tile(uint32_t existing, const T& value, const T& first, Op& op, const char* what) {
    const T inclusive = inclusive_scan_tile<Size>(existing, value, op, what);
    const bool is_first = (identity::lane() & (Size - 1u)) == 0;
    if constexpr (is_invertible_v<Op, T>) {
      return is_first ? first : apply_inverse<Op>(inclusive, value);
    } else {
      const T before = shuffles::value_below<Size>(tile_mask<Size>(), inclusive, 1);
      return is_first ? first : before;
    }
  }

  // Of each aligned piece of Size lanes. pre: all lanes of the warp take part
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T reduce_halves(const T& value, Op& op) {
    if constexpr (Step == Size) {
      return value;
    } else {
      const T other = shuffles::value_across<Step>(0xffffffffu, value);
      return reduce_halves<Size, 2 * Step>(combine_across<Step>(value, other, op), op);
    }
  }
  // other: of the lane whose number differs in the bit Step
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T combine_across(const T& mine, const T& other, Op& op) {
    const bool is_higher = !commutes_v<Op, T> && (identity::lane() & Step) != 0;
    T left = choose(is_higher, other, mine);
    T right = choose(is_higher, mine, other);
    return op(left, right);
  }

  // Step k: the last lane of the lower half speaks to the higher one, in each piece of 2 * 2^k lanes. twice_lane: tests
  // of its bits 1 to 5 can be one instruction (R2P).
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T scan(uint32_t mask, const T& value, uint32_t twice_lane, Op& op) {
    if constexpr (Step == Size) {
      return value;
    } else {
      const T other = shuffles::value_of<2 * Step>(mask, value, Step - 1);
      return scan<Size, 2 * Step>(mask, scan_across<Step>(value, other, twice_lane, op), twice_lane, op);
    }
  }
  // other: of the last lane of the lower half
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T scan_across(const T& value, const T& other, uint32_t twice_lane, Op& op) {
    T mine = value;
    T lower = other;
    combine_if((twice_lane & 2 * Step) != 0, mine, lower, mine, op);
    return mine;
  }

 public:
  template <uint32_t Size>
  COHORT_FN static uint32_t tile_mask() {
    if constexpr (Size == 32) {
      return 0xffffffffu;
    } else {
      return detail::low_bits(Size) << (identity::lane() & ~(Size - 1u));
    }
  }

  // All lanes of the warp are at this place together, so that its tiles can exchange values by the same instructions:
  // if one lane sees that, all do. (Instructions whose mask is not a constant take turns.)
  COHORT_FN static bool all_lanes_are_here() {
    uint32_t lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes == 0xffffffffu;
  }

  // other: of the lane whose number differs in the bit Step, if that exists: an operator sees no values that nobody
  // gave
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T combine_existing(uint32_t existing, const T& value, const T& other, Op& op) {
    T mine = value;
    if (((existing >> (identity::lane() ^ Step)) & 1u) != 0) {
      asm volatile("");
      detail::copy_value(mine, combine_across<Step>(value, other, op));
    }
    return mine;
  }
};

}  // namespace ptx
}  // namespace cohort
