// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a block and of tiles above 32 threads: the warps reduce their lanes, and then their results.
//
// A few values in registers are combined faster than lanes can exchange one: so each thread reads the results of
// several warps at once. docs/design/ptx.md has what was measured.
#pragma once

#include <stdint.h>

#include "../../base/bits.hpp"
#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../derive_team.hpp"
#include "identity.hpp"
#include "known_op.hpp"
#include "lane_reduce.hpp"
#include "redux.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_barrier.hpp"
#include "team_cells.hpp"
#include "tile.hpp"
#include "vote.hpp"

namespace cohort {
namespace ptx {

// A team as the collectives between its warps see it.
struct team_shape {
  COHORT_FN explicit team_shape(uint32_t size)
      : first_warp(team_barrier::first_of(size) / 32u),
        block_warp(team_barrier::block_rank() / 32u),
        warp(block_warp - first_warp) {}
  // How many threads each team of this size in the block has, if that is one of the usual numbers and the same for all;
  // else 0. The same for all threads of the block.
  COHORT_FN static uint32_t usual_threads(uint32_t size) {
    const uint32_t block = team_barrier::block_size();
    if (size != 0) return team_barrier::has_own_barriers(size) ? size : 0u;
    return block;
  }
  // One question after the other: of all of them a compiler would make a tree, and the most urgent one would come last.
  COHORT_FN static bool is_usual(uint32_t size, uint32_t threads, uint32_t number) {
    return __builtin_expect((size == 0 ? apart(threads) : threads) == number, 1);
  }
  COHORT_FN static uint32_t warps(uint32_t size) { return (team_barrier::threads_of(size) + 31u) / 32u; }
  // The lanes of the caller's warp.
  COHORT_FN static uint32_t lanes() {
    return detail::low_bits(team_barrier::block_size() - (team_barrier::block_rank() & ~31u));
  }

  const uint32_t first_warp, block_warp;  // counted in the block
  const uint32_t warp;                    // the caller's in the team
};

// The combination of all, in the written order; values[0] becomes it.
template <uint32_t Count, class T, class Op>
COHORT_FN T combine_all(detail::slot<T> (&values)[Count], Op& op) {
#pragma unroll
  for (uint32_t step = 1; step < Count; step *= 2) {
#pragma unroll
    for (uint32_t i = 0; i < Count; i += 2 * step) {
      detail::copy_value(values[i].value, op(values[i].value, values[i + step].value));
    }
  }
  return values[0].value;
}

struct team_reduce {
  static constexpr bool has_team_reduce = true;

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::reduce_team(size, value, op, what);
    } else {
      if (team_barrier::is_pair(size)) return reduce_pair(value, op, what);
      const uint32_t threads = team_shape::usual_threads(size);
      if (threads % 32 == 0 && threads != 0) {
        const T eighth = reduce_start(value, op);
        if (may_save_exchanges<T, Op> && size == 0 && team_shape::is_usual(size, threads, 128)) {
          return reduce_quarters(eighth, op);
        }
        const T own = reduce_rest(eighth, op);
        if (team_shape::is_usual(size, threads, 128)) return reduce_few<4>(size, own, op);
        if (team_shape::is_usual(size, threads, 256)) {
          return size == 0 ? reduce_few<8>(size, own, op) : reduce_pieces<4>(size, own, op);
        }
        if (team_shape::is_usual(size, threads, 512)) return reduce_pieces<8>(size, own, op);
        if (team_shape::is_usual(size, threads, 1024)) return reduce_pieces<16>(size, own, op);
        if (team_shape::is_usual(size, threads, 64)) return reduce_few<2>(size, own, op);
      }
      // What is rarely run is not in the way of what often is: a multiprocessor that jumps over it waits for the code.
      if constexpr (is_stateless_v<Op, T>) {
        return reduce_apart<T, Op>(size, value);
      } else {
        return reduce_any(size, value, op, what);
      }
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::derived_team<parts>;

  template <class T, class Op>
  COHORT_FN static T reduce_pair(const T& value, Op& op, const char* what) {
    const pair_of_warps pair = team_barrier::pair();
    const uint32_t exchanges = pair.exchanges();
    T own = tile::reduce_tile<32>(team_shape::lanes(), value, op, what);
    T other = pair.swap(own, pair.lane() == 0, exchanges);
    T lower = choose(pair.is_upper(), other, own);
    T upper = choose(pair.is_upper(), own, other);
    combine_if(!pair.is_alone(), own, lower, upper, op);
    return own;
  }

  // Each warp combines the results of all.
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T reduce_few(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    if (identity::lane() == 0) cells::write(cells::given + shape.block_warp, own);
    team_barrier::sync_whole_team(size);
    detail::slot<T> results[Warps];
    cells::read(results, cells::given + shape.first_warp);
    team_barrier::sync_whole_team(size);
    return combine_all(results, op);
  }

  // A block of four warps. Each warp combines the results of all pieces of eight lanes: two exchanges are saved.
  template <class T, class Op>
  COHORT_FN static T reduce_quarters(const T& own, Op& op) {
    using cells = team_cells<T>;
    if (identity::lane() % 8 == 0) cells::write(cells::quarters + team_barrier::block_rank() / 8u, own);
    team_barrier::sync_block();
    detail::slot<T> results[16];
    cells::read(results, cells::quarters);
    team_barrier::sync_block();
    return combine_all(results, op);
  }

  // Two pieces of so many warps. The first warp of each combines the results of its piece, and then each warp the two.
  template <uint32_t Piece, class T, class Op>
  COHORT_FN static T reduce_pieces(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    if (identity::lane() == 0) cells::write(cells::given + shape.block_warp, own);
    team_barrier::sync_whole_team(size);
    if (shape.warp % Piece == 0) {
      detail::slot<T> results[Piece];
      cells::read(results, cells::given + shape.block_warp);
      const T total = combine_all(results, op);
      // All lanes come here, as far as the compiler knows; with lane 0 alone it would let them part and meet again.
      if (apart(identity::lane()) == 0) cells::write(cells::pieces(size) + shape.warp / Piece, total);
    }
    team_barrier::sync_whole_team(size);
    detail::slot<T> totals[2];
    cells::read(totals, cells::pieces(size));
    return combine_all(totals, op);
  }

  // The lanes of a warp in two steps: the pieces of eight, and those together. pre: the warp has 32 lanes
  template <class T, class Op>
  COHORT_FN static T reduce_start(const T& value, Op& op) {
    if constexpr (redux::takes<T, Op>)
      return redux::reduce<Op>(0xffffffffu, value);
    else
      return tile::reduce_halves<8>(value, op);
  }
  template <class T, class Op>
  COHORT_FN static T reduce_rest(const T& eighth, Op& op) {
    if constexpr (redux::takes<T, Op>)
      return eighth;
    else
      return tile::reduce_halves<32, 8>(eighth, op);
  }
  template <class T, class Op>
  static constexpr bool may_save_exchanges = sizeof(T) <= 4 && !redux::takes<T, Op>;

  template <class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T reduce_apart(uint32_t size, T value) {
    typename detail::remove_cv<Op>::type op{};
    return reduce_any(size, value, op, "");
  }

  // Of any shape: the first warp combines the results of all, a lane each.
  template <class T, class Op>
  COHORT_FN static T reduce_any(uint32_t size, const T& value, Op& op, const char* what) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t count = team_shape::warps(size);
    const uint32_t lane = identity::lane();
    const T own = tile::reduce_tile<32>(team_shape::lanes(), value, op, what);
    if (count == 1) return own;
    if (lane == 0) cells::write(cells::given + shape.block_warp, own);
    team_barrier::sync_team(size, what);
    if (shape.warp == 0) {
      T mine = cells::read(cells::given + shape.block_warp + (lane < count ? lane : 0));
#pragma unroll
      for (uint32_t step = 1; step < 32; step *= 2) {
        T other = shuffles::value_of(0xffffffffu, mine, lane + step);
        combine_if(lane + step < count, mine, mine, other, op);
      }
      const T total = shuffles::value_of(0xffffffffu, mine, 0);
      if (lane < count) cells::write(cells::received + shape.block_warp + lane, total);
    }
    team_barrier::sync_team(size, what);
    return cells::read(cells::received + shape.block_warp);
  }
};

}  // namespace ptx
}  // namespace cohort
