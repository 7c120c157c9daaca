// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a block and of tiles above 32 threads: the warps reduce their lanes, and then their results.
//
// A few values in registers are combined faster than lanes can exchange one: so each thread reads the results of
// several warps at once. docs/design/ptx.md has what was measured.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../../reference_team.hpp"
#include "../identity.hpp"
#include "../known_op.hpp"
#include "../redux.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../warp/lane_reduce.hpp"
#include "../warp/tile.hpp"
#include "combine.hpp"
#include "team_barrier.hpp"
#include "team_exchange.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

struct team_reduce {
  static constexpr bool has_team_reduce = true;

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::reduce_team(size, value, op, what);
    } else {
      if (size == 64) {
        if (team_barrier::is_whole_pair(size)) return reduce_pair(value, op);
        if (only_here(!team_barrier::has_own_barriers(size))) return reduce_other<true>(size, value, op);
        return reduce_at_once<2, 1>(size, 2, reduce_warp(value, op), op);
      }
      const uint32_t warps = team_shape::whole_warps(size);
      if constexpr (may_save_exchanges<T, Op>) {
        // The ways part while an exchange is under way, which costs nothing; the empty statements keep it so.
        const T other = shuffles::value_across<1>(0xffffffffu, value);
        if (size == 0 && (warps == 0 || warps % 8 != 0)) {
          asm volatile("// no whole eights of warps");
          const T pair = tile::combine_across<1>(value, other, op);
          const T other_pair = shuffles::value_across<2>(0xffffffffu, pair);
          if (warps - 1u >= 4) return reduce_other<false>(size, value, op);
          asm volatile("// up to four warps");
          const T quad = tile::combine_across<2>(pair, other_pair, op);
          return reduce_at_once<4, 4>(size, warps, tile::reduce_halves<8, 4>(quad, op), op);
        }
        if (size != 0 && warps == 0) return reduce_other<false>(size, value, op);
        asm volatile("// whole eights, or a tile");
        const T pair = tile::combine_across<1>(value, other, op);
        if (size == 128) return reduce_at_once<4, 1>(size, warps, tile::reduce_halves<32, 2>(pair, op), op);
        return reduce_octets<2>(size, warps, tile::reduce_halves<16, 2>(pair, op), op);
      } else {
        if (warps == 0 || (warps > 8 && warps % 8 != 0)) return reduce_other<false>(size, value, op);
        const T own = reduce_warp(value, op);
        if (size == 128) return reduce_at_once<4, 1>(size, warps, own, op);
        if (size == 0 && warps <= 8) return reduce_at_once<8, 1>(size, warps, own, op);
        return reduce_octets<1>(size, warps, own, op);
      }
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::reference_team<parts>;

  // Reading more values takes less time than combining more lanes.
  template <class T, class Op>
  static constexpr bool may_save_exchanges = sizeof(T) <= 4 && commutes_v<Op, T> && !redux::takes<T, Op>;

  template <class T, class Op>
  COHORT_FN static T reduce_pair(const T& value, Op& op) {
    const pair_of_warps pair = team_barrier::pair();
    const uint32_t number = pair.next_exchange();
    const T own = reduce_warp(value, op);
    const T other = pair.swap(own, number);
    const bool is_upper = !commutes_v<Op, T> && pair.is_upper();
    T lower = choose(is_upper, other, own);
    T upper = choose(is_upper, own, other);
    return op(lower, upper);
  }

  // pre: the warp has 32 lanes
  template <class T, class Op>
  COHORT_FN static T reduce_warp(const T& value, Op& op) {
    if constexpr (redux::takes<T, Op>)
      return redux::reduce<Op>(0xffffffffu, value);
    else
      return tile::reduce_halves<32>(value, op);
  }

  // Each warp leaves so many values, of pieces of its lanes, which all have the same value. To choose a lane of each
  // would take an instruction more, or two.
  template <uint32_t Values, class Op, class T>
  COHORT_FN static void give(const T& own) {
    using cells = team_cells<T>;
    constexpr uint32_t lanes = 32 / Values;
    const uint32_t piece = team_barrier::block_rank() / lanes;
    const uint32_t cell = Values == 2 ? (piece & ~15u) + cells::spread(piece & 15u) : piece;
    if (is_stateless_v<Op, T> || identity::lane() % lanes == 0)
      cells::write(cells::template given<Values>() + cell, own);
  }

  // Each warp combines what all gave.
  template <uint32_t Warps, uint32_t Values, class T, class Op>
  COHORT_FN static T reduce_at_once(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    give<Values, Op>(own);
    team_barrier::sync_whole_team(size);
    detail::slot<T> values[Warps * Values];
    cells::read(values, cells::template given<Values>() + shape.first_warp * Values);
    team_barrier::sync_whole_team(size);
    if (size == 0 && warps != Warps) return combine_existing_values<Values>(values, apart(warps), op);
    asm volatile("// all warps are there");
    return combine_values(values, op);
  }

  // One warp for each eight combines what those gave, and then each warp the results. pre: there are whole eights
  template <uint32_t Values, class T, class Op>
  COHORT_FN static T reduce_octets(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t octets = warps / 8u, octet = shape.led_piece(8);
    const bool leads = vote::all(octet < octets);
    give<Values, Op>(own);
    team_barrier::sync_whole_team(size);
    if (leads) {
      const uint32_t lane = apart(identity::lane());
      detail::slot<T> values[8 * Values];
      const uint32_t first = cells::template given<Values>() + (shape.first_warp + 8 * octet) * Values;
      if constexpr (Values == 2) {
        cells::read_spread(values, first);
      } else {
        cells::read(values, first);
      }
      if constexpr (commutes_v<Op, T>) {
        // The last one also speaks for those that a smaller block does not have.
        if (size == 0 && octet + 1 == octets && lane - 1u < 4u - octets) {
          cells::write(cells::octets(size) + octet + lane, identity_element<Op, T>());
        }
      }
      const T total = combine_values(values, op);
      if (lane == 0) cells::write(cells::octets(size) + octet, total);
    }
    team_barrier::sync_whole_team(size);
    if (size == 256) return cells::read(cells::octets(size));
    if (size == 512) {
      detail::slot<T> totals[2];
      cells::read(totals, cells::octets(size));
      return combine_values(totals, op);
    }
    detail::slot<T> totals[4];
    cells::read(totals, cells::octets(size));
    if (octets == 1) return totals[0].value;
    asm volatile("// more than 256 threads");
    return commutes_v<Op, T> ? combine_values(totals, op) : combine_existing_values<1>(totals, octets, op);
  }

  // What is rarely run is not in the way of what often is: a multiprocessor that jumps over it waits for the code.
  template <bool Pairs, class T, class Op>
  COHORT_FN static T reduce_other(uint32_t size, const T& value, Op& op) {
    if constexpr (is_stateless_v<Op, T>) {
      return reduce_apart<Pairs, T, Op>(size, value);
    } else {
      return reduce_any<Pairs>(size, value, op);
    }
  }
  template <bool Pairs, class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T reduce_apart(uint32_t size, T value) {
    typename detail::remove_cv<Op>::type op{};
    return reduce_any<Pairs>(Pairs ? 64 : size, value, op);
  }

  // Of any shape: the warps combine the results of all, a lane each, and the first warp, which is whole if there is a
  // second one, says what came out. (If the others did not join in the shuffles, a compiler would take it that lanes
  // may come to any barrier and shuffle of the kernel one by one.)
  template <bool Pairs, class T, class Op>
  COHORT_FN static T reduce_any(uint32_t size, const T& value, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t count = team_shape::warps(size);
    const uint32_t lane = identity::lane(), lanes = team_shape::lanes();
    const T own = tile::reduce_existing<32>(lanes, value, op);
    give<1, Op>(own);
    team_barrier::sync_any<Pairs>(size);
    T mine = cells::read(cells::template given<1>() + shape.first_warp + (lane < count ? lane : 0));
#pragma unroll 1
    for (uint32_t step = 1; step < 32; step *= 2) {
      T other = shuffles::value_of(0xffffffffu, mine, lane + step);
      combine_if(lane + step < count && lanes == 0xffffffffu, mine, mine, other, op);
    }
    const T total = shuffles::value_of(0xffffffffu, mine, 0);
    if (shape.warp == 0 && lane < count) cells::write(cells::received + shape.block_warp + lane, total);
    team_barrier::sync_any<Pairs>(size);
    return cells::read(cells::received + shape.block_warp);
  }
};

}  // namespace ptx
}  // namespace cohort
