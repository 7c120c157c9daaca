// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction of a team of any shape: the cold path of team_reduce.hpp.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "../warp/tile_reduce.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

struct any_shape_reduce {
  /// All warps combine the partials of all warps, one in each lane. The first warp, which is full if there is a second
  /// one, writes the result for each warp. The other warps execute the same shuffles: otherwise ptxas would assume that
  /// lanes can reach every later barrier and shuffle of the kernel one by one.
  template <bool Pairs, class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    const uint32_t count = team_shape::warps(size);
    const uint32_t lane = identity::lane(), lanes = team_shape::lanes();
    const T own = tile_reduce::reduce_partial<32>(lanes, value, op);
    if (detail::is_stateless_v<Op, T> || lane == 0) slots::write(slots::template partials<1>() + shape.block_warp, own);
    team_barrier::sync_any_shape<Pairs>(size);
    T mine = slots::read(slots::template partials<1>() + shape.first_warp + (lane < count ? lane : 0));
#pragma unroll 1
    for (uint32_t step = 1; step < 32; step *= 2) {
      T other = shuffles::value_of(0xffffffffu, mine, lane + step);
      combine_if(lane + step < count && lanes == 0xffffffffu, mine, mine, other, op);
    }
    const T total = shuffles::value_of(0xffffffffu, mine, 0);
    if (shape.warp == 0 && lane < count) slots::write(slots::results + shape.block_warp + lane, total);
    team_barrier::sync_any_shape<Pairs>(size);
    return slots::read(slots::results + shape.block_warp);
  }
};

}  // namespace ptx
}  // namespace cohort
