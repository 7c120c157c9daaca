// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The step of team scans that combines the totals of warps.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../optimizer_barrier.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "../warp/tile_scan.hpp"
#include "leader_phase.hpp"
#include "scan_prefix.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

struct warp_totals {
  /// Publishes the total of the caller's warp, which its last lane holds after an inclusive scan.
  template <class T>
  COHORT_FN static void publish(const T& inclusive, const team_shape& shape) {
    if (team_shape::is_last_lane())
      team_slots<T>::write(team_slots<T>::template partials<1>() + shape.block_warp, inclusive);
  }

  /// Inclusive scan of a full warp. `pin_here` makes one instruction test all bits of the lane here, before the scan.
  /// Without it, compilers reuse the predicate registers between two scans and test bit by bit, which takes four
  /// instructions more.
  template <class T, class Op>
  COHORT_FN static T scan_warp(const T& value, Op& op) {
    return tile_scan::scan<32>(0xffffffffu, value, pin_here(2 * identity::kept_lane()), op);
  }

  /// Inclusive scan of the first `count` lanes, as a loop: takes few registers and predicates.
  template <class T, class Op>
  COHORT_FN static T scan_in_loop(uint32_t lane, uint32_t count, const T& value, Op& op) {
    T mine = value;
#pragma unroll 1
    for (uint32_t step = 1; step < 32; step *= 2) {
      T lower = shuffles::value_of(0xffffffffu, mine, (lane | (2 * step - 1u)) - step);
      combine_if((lane & step) != 0 && lane < count, mine, lower, mine, op);
    }
    return mine;
  }

  /// Writes two results for each warp but the first: its prefix, and the exclusive prefix of its first lane. All warps
  /// scan the totals; the first one, which is full if there is a second one, writes. any_shape.hpp gives the
  /// reason why the other warps take part.
  /// @tparam Cold true: always scan in a loop
  /// @param sync the barrier of the team
  template <bool Cold, class T, class Op, class Sync>
  COHORT_FN static void scan(uint32_t size, const T& inclusive, Op& op, Sync sync) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    const uint32_t lane = identity::kept_lane();
    const uint32_t count = team_shape::warps(size);
    publish(inclusive, shape);
    const leader_phase phase(sync);
    T total = slots::read(slots::template partials<1>() + shape.first_warp + (lane < count ? lane : 0));
    T scanned = scan_lanes<Cold>(lane, count, total, op);
    T before = shuffles::value_below<32>(0xffffffffu, scanned, 1);
    T last = total;
    combine_if(lane != 0, last, before, total, op);
    if (shape.warp == 0 && lane + 1 < count) {
      slots::write(slots::results + shape.block_warp + lane + 1, scanned);
      slots::write(slots::first_lane_results + shape.block_warp + lane + 1, last);
    }
  }

  /// Completes the inclusive scan of a full team of up to `Warps` warps: each warp reads the totals before it.
  /// @param own inclusive scan of the caller's warp
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T scan_at_once(uint32_t size, const T& own, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    publish(own, shape);
    scan_prefix<T, Op> prefix;
    {
      const leader_phase phase(sync_full_team_of{size});
      prefix.template prepend<Warps>(slots::template partials<1>() + shape.first_warp, shape.warp, op);
    }
    return prefix.prepended_to(own, op);
  }

 private:
  template <bool Cold, class T, class Op>
  COHORT_FN static T scan_lanes(uint32_t lane, uint32_t count, const T& total, Op& op) {
    if constexpr (Cold || !detail::is_stateless_v<Op, T>) {
      return scan_in_loop(lane, count, total, op);
    } else {
      return scan_warp(total, op);
    }
  }
};

}  // namespace ptx
}  // namespace cohort
