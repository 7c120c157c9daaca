// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive scan of a team of any shape: the cold path of team_scan.hpp.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"
#include "warp_totals.hpp"

namespace cohort {
namespace ptx {

struct any_shape_scan {
  template <bool Pairs, class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    if constexpr (Pairs) {
      if (team_barrier::has_full_hardware_teams(size))
        return warp_totals::scan_at_once<2>(size, warp_totals::scan_warp(value, op), op);
    }
    const team_shape shape(size);
    T own = warp_totals::scan_in_loop(identity::lane(), 32, value, op);
    warp_totals::scan<true>(size, own, op, [&] { team_barrier::sync_any_shape<Pairs>(size); });
    if (shape.warp == 0) return own;
    T before = team_slots<T>::read(team_slots<T>::results + shape.block_warp);
    return op(before, own);
  }
};

}  // namespace ptx
}  // namespace cohort
