// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of tiles of up to 32 threads. In step k the last lane of each lower half of 2^k lanes publishes its value to
// the higher half.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "tile.hpp"

namespace cohort {
namespace ptx {

struct tile_scan {
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T inclusive_scan_tile(uint32_t /*participating*/, const T& value, Op& op, const char* /*op_name*/) {
    if constexpr (Size == 1) {
      return value;
    } else {
      const uint32_t twice_lane = 2 * identity::lane();
      if (Size < 32 && convergence::is_warp_converged()) return scan<Size>(0xffffffffu, value, twice_lane, op);
      return scan<Size>(tile::full_tile_mask<Size>(), value, twice_lane, op);
    }
  }

  template <uint32_t Size, class T, class Op>
  COHORT_FN static T exclusive_scan_tile(uint32_t participating, const T& value, const T& first, Op& op,
                                         const char* op_name) {
    const T inclusive = inclusive_scan_tile<Size>(participating, value, op, op_name);
    const bool is_first = (identity::lane() & (Size - 1u)) == 0;
    if constexpr (detail::is_invertible_v<Op, T>) {
      return is_first ? first : detail::apply_inverse<Op>(inclusive, value);
    } else {
      const T before = shuffles::value_below<Size>(tile::full_tile_mask<Size>(), inclusive, 1);
      return is_first ? first : before;
    }
  }

  /// Inclusive scan of each aligned segment of `Size` lanes, from distance `Step` on.
  /// @param twice_lane 2 * lane: ptxas tests its bits 1 to 5 by one instruction (R2P)
  template <uint32_t Size, uint32_t Step = 1, class T, class Op>
  COHORT_FN static T scan(uint32_t mask, const T& value, uint32_t twice_lane, Op& op) {
    if constexpr (Step == Size) {
      return value;
    } else {
      const T other = shuffles::value_of<2 * Step>(mask, value, Step - 1);
      return scan<Size, 2 * Step>(mask, scan_across<Step>(value, other, twice_lane, op), twice_lane, op);
    }
  }

  /// One step: combines `other`, of the last lane of the lower half, with the value of a lane of the higher half.
  template <uint32_t Step, class T, class Op>
  COHORT_FN static T scan_across(const T& value, const T& other, uint32_t twice_lane, Op& op) {
    T mine = value;
    T lower = other;
    combine_if((twice_lane & 2 * Step) != 0, mine, lower, mine, op);
    return mine;
  }
};

}  // namespace ptx
}  // namespace cohort
