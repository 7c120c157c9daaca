// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and inclusive scans of teams of any shape: the cold paths of team_reduce.hpp and team_scan.hpp.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "../warp/tile_reduce.hpp"
#include "leader_phase.hpp"
#include "scan_prefix.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"
#include "warp_totals.hpp"

namespace cohort {
namespace ptx {

/// Tiles of more than 64 threads, and blocks.
struct any_shape_reduce {
  /// All warps combine the partials of all warps, one in each lane. The first warp, which is full if there is a second
  /// one, writes the result for each warp. The other warps execute the same shuffles: otherwise ptxas would assume that
  /// lanes can reach every later barrier and shuffle of the kernel one by one.
  template <class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    const uint32_t count = team_shape::warps(size);
    const uint32_t lane = identity::kept_lane(), lanes = team_shape::lanes();
    const T own = tile_reduce::reduce_partial<32>(lanes, value, op);
    if (detail::is_stateless_v<Op, T> || lane == 0) slots::write(slots::template partials<1>() + shape.block_warp, own);
    {
      const leader_phase phase(sync_any_shape_of{size});
      T mine = slots::read(slots::template partials<1>() + shape.first_warp + (lane < count ? lane : 0));
#pragma unroll 1
      for (uint32_t step = 1; step < 32; step *= 2) {
        T other = shuffles::value_of(0xffffffffu, mine, lane + step);
        combine_if(lane + step < count && lanes == 0xffffffffu, mine, mine, other, op);
      }
      const T total = shuffles::value_of(0xffffffffu, mine, 0);
      if (shape.warp == 0 && lane < count) slots::write(slots::results + shape.block_warp + lane, total);
    }
    return slots::read(slots::results + shape.block_warp);
  }
};

struct any_shape_scan {
  template <class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    const team_shape shape(size);
    T own = warp_totals::scan_in_loop(identity::kept_lane(), 32, value, op);
    warp_totals::scan<true>(size, own, op, [&] { team_barrier::sync_any_shape(size); });
    if (shape.warp == 0) return own;
    T before = team_slots<T>::read(team_slots<T>::results + shape.block_warp);
    return op(before, own);
  }
};

/// Tiles of 128 threads: each warp reads the totals of the up to three warps before its own.
struct any_shape_scan_128 {
  template <class T, class Op>
  COHORT_FN static T run(uint32_t /*size*/, const T& value, Op& op) {
    const team_shape shape(128);
    const T own = warp_totals::scan_in_loop(identity::kept_lane(), 32, value, op);
    warp_totals::publish(own, shape);
    scan_prefix<T, Op> prefix;
    {
      const leader_phase phase(sync_any_shape_of{128});
      prefix.template prepend<4>(team_slots<T>::template partials<1>() + shape.first_warp, shape.warp, op);
    }
    return prefix.prepended_to(own, op);
  }
};

struct cold_path {
  /// Returns Algorithm::run(size, value, op). Kept out of line where the operator has no state: inlined, the code costs
  /// instruction-cache misses, and registers and predicates of the hot paths.
  template <class Algorithm, class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    if constexpr (detail::is_stateless_v<Op, T>) {
      return run_out_of_line<Algorithm, T, Op>(size, value);
    } else {
      return Algorithm::run(size, value, op);
    }
  }

 private:
  template <class Algorithm, class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T run_out_of_line(uint32_t size, T value) {
    typename detail::remove_cv<Op>::type op{};
    return Algorithm::run(size, value, op);
  }
};

}  // namespace ptx
}  // namespace cohort
