// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of a block and of tiles above 32 threads: the warps scan their lanes; then each combines its lanes, on the
// right, with what the warps before it have together.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../../reference_team.hpp"
#include "../identity.hpp"
#include "../known_op.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../warp/lane_reduce.hpp"
#include "../warp/tile.hpp"
#include "scan_prefix.hpp"
#include "team_barrier.hpp"
#include "team_exchange.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"

namespace cohort {
namespace ptx {

struct team_scan {
  static constexpr bool has_team_scan = true;

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::inclusive_scan_team(size, value, op, what);
    } else {
      if (size == 64) {
        if (team_barrier::is_whole_pair(size)) return scan_pair(value, op);
        return scan_other<true>(size, value, op);
      }
      // The way parts while the first exchange is under way; the empty statements keep it so.
      const uint32_t warps = team_shape::whole_warps(size);
      const T other = shuffles::value_of<2>(0xffffffffu, value, 0);
      if (size == 0 && warps <= 8) {
        if (warps == 0) return scan_other<false>(size, value, op);
        asm volatile("// a block of up to 256 threads");
        return scan_at_once<8>(size, scan_rest(value, other, op), op);
      }
      if (size != 0 && warps == 0) return scan_other<false>(size, value, op);
      asm volatile("// more than 256 threads, or a tile");
      const T own = scan_rest(value, other, op);
      if (size == 128) return scan_at_once<4>(size, own, op);
      if (size == 512) return scan_pieces<16>(size, warps, own, op);
      return scan_pieces<8>(size, warps, own, op);
    }
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::exclusive_scan_team(size, value, first, op, what);
    } else if constexpr (is_invertible_v<Op, T>) {
      const T inclusive = inclusive_scan_team(size, value, op, what);
      return team_barrier::block_rank() == team_barrier::first_of(size) ? first : apply_inverse<Op>(inclusive, value);
    } else {
      const T inclusive = tile::inclusive_scan_tile<32>(0, value, op, what);
      T below = shuffles::value_below<32>(0xffffffffu, inclusive, 1);
      const bool is_first = identity::lane() == 0;
      const team_shape shape(size);
      if (size == 64 && !team_barrier::has_own_barriers(size)) {
        const bool is_whole = team_barrier::is_whole_pair(size);
        T total = is_whole ? team_barrier::pair().swap(inclusive, team_barrier::pair().next_exchange())
                           : lower_total(size, inclusive, what);
        if (shape.warp == 0) return is_first ? first : below;
        return is_first ? total : op(total, below);
      }
      pass_on<false>(size, inclusive, op, [&] { team_barrier::sync_by_hardware(size); });
      if (shape.warp == 0) return is_first ? first : below;
      if (is_first) return team_cells<T>::read(team_cells<T>::also_received + shape.block_warp);
      T before = team_cells<T>::read(team_cells<T>::received + shape.block_warp);
      return op(before, below);
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::reference_team<parts>;

  COHORT_FN static bool is_last() {
    return identity::lane() == 31 || team_barrier::block_rank() + 1 == team_barrier::block_size();
  }

  template <class T, class Op>
  COHORT_FN static T scan_pair(const T& value, Op& op) {
    const pair_of_warps pair = team_barrier::pair();
    const uint32_t number = pair.next_exchange();
    T own = scan_warp(value, op);
    T total = pair.swap(own, number);
    // Of an operator that costs nothing: a branch would cost more.
    if constexpr (is_stateless_v<Op, T> && (detail::is_integral_v<T> || detail::is_floating_v<T>))
      return choose(pair.is_upper(), op(total, own), own);
    combine_if(pair.is_upper(), own, total, own, op);
    return own;
  }
  template <class T>
  COHORT_FN static T lower_total(uint32_t size, const T& own, const char* what) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    give_total(own, shape);
    team_barrier::sync_team(size, what);
    const T total = cells::read(cells::template given<1>() + shape.first_warp);
    team_barrier::sync_team(size, what);
    return total;
  }

  // The total of a warp is what its last lane has.
  template <class T>
  COHORT_FN static void give_total(const T& own, const team_shape& shape) {
    if (is_last()) team_cells<T>::write(team_cells<T>::template given<1>() + shape.block_warp, own);
  }

  // Of a warp, and the same from the second step on. Who is in a higher half is tested here, of all steps at once: the
  // predicates are needed for other things between two scans, and to make them one by one takes four instructions more.
  template <class T, class Op>
  COHORT_FN static T scan_warp(const T& value, Op& op) {
    return tile::scan<32>(0xffffffffu, value, only_here(2 * identity::lane()), op);
  }
  template <class T, class Op>
  COHORT_FN static T scan_rest(const T& value, const T& other, Op& op) {
    const uint32_t twice_lane = only_here(2 * identity::lane());
    return tile::scan<32, 2>(0xffffffffu, tile::scan_across<1>(value, other, twice_lane, op), twice_lane, op);
  }

  // Each warp looks at the totals of all.
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T scan_at_once(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    give_total(own, shape);
    team_barrier::sync_whole_team(size);
    scan_prefix<T, Op> prefix;
    prefix.template add<Warps>(cells::template given<1>() + shape.first_warp, shape.warp, op);
    team_barrier::sync_whole_team(size);
    return prefix.before(own, op);
  }

  // One warp for each piece of so many says what is before each of them, a lane each, and what they have together.
  template <uint32_t Piece, class T, class Op>
  COHORT_FN static T scan_pieces(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t pieces = (warps + Piece - 1u) / Piece, piece = shape.led_piece(Piece);
    const bool is_alone = size == 32u * Piece;  // one piece is the whole team
    const bool leads = vote::all(piece < pieces);
    give_total(own, shape);
    team_barrier::sync_whole_team(size);
    if (leads) {
      const uint32_t lane = identity::lane(), first = shape.first_warp + Piece * piece,
                     existing = warps - Piece * piece;
      // An operator that may be anything sees no values that nobody gave.
      const uint32_t place = commutes_v<Op, T> || lane <= (existing < Piece ? existing : Piece) ? lane : 0;
      scan_prefix<T, Op> prefix;
      if (is_alone) {
        prefix.template add<Piece>(cells::template given<1>() + first, place, op);
        if (apart(lane) < Piece) cells::write(cells::received + first + lane, prefix.value());
      } else {
        // What is before the place behind all is what they have together.
        prefix.template add<Piece, Piece>(cells::template given<1>() + first, place, op);
        const uint32_t cell = lane == Piece ? cells::octets(size) + piece : cells::received + first + lane;
        if (apart(lane) <= Piece) cells::write(cell, prefix.value());
      }
    }
    team_barrier::sync_whole_team(size);
    scan_prefix<T, Op> prefix(cells::read(cells::received + shape.block_warp), shape.warp % Piece != 0);
    if (!is_alone) prefix.template add<4>(cells::octets(size), shape.warp / Piece, op);
    return prefix.before_in_any_case(own, op);
  }

  // Of any shape. What is rarely run takes few registers and predicates, for what is often run keeps none of its own in
  // them: loops, and a function of its own.
  template <bool Pairs, class T, class Op>
  COHORT_FN static T scan_other(uint32_t size, const T& value, Op& op) {
    if constexpr (is_stateless_v<Op, T>) {
      return scan_apart<Pairs, T, Op>(size, value);
    } else {
      return scan_any<Pairs>(size, value, op);
    }
  }
  template <bool Pairs, class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T scan_apart(uint32_t size, T value) {
    typename detail::remove_cv<Op>::type op{};
    return scan_any<Pairs>(Pairs ? 64 : size, value, op);
  }
  template <bool Pairs, class T, class Op>
  COHORT_FN static T scan_any(uint32_t size, const T& value, Op& op) {
    if constexpr (Pairs) {
      if (team_barrier::has_own_barriers(size)) return scan_at_once<2>(size, scan_warp(value, op), op);
    }
    const team_shape shape(size);
    T own = scan_in_a_loop(identity::lane(), 32, value, op);
    pass_on<true>(size, own, op, [&] { team_barrier::sync_any<Pairs>(size); });
    if (shape.warp == 0) return own;
    T before = team_cells<T>::read(team_cells<T>::received + shape.block_warp);
    return op(before, own);
  }

  // As tile::scan, of the first `count` lanes.
  template <class T, class Op>
  COHORT_FN static T scan_in_a_loop(uint32_t lane, uint32_t count, const T& value, Op& op) {
    T mine = value;
#pragma unroll 1
    for (uint32_t step = 1; step < 32; step *= 2) {
      T lower = shuffles::value_of(0xffffffffu, mine, (lane | (2 * step - 1u)) - step);
      combine_if((lane & step) != 0 && lane < count, mine, lower, mine, op);
    }
    return mine;
  }

  template <bool Rarely, class T, class Op>
  COHORT_FN static T scan_totals(uint32_t lane, uint32_t count, const T& total, Op& op) {
    if constexpr (Rarely || !is_stateless_v<Op, T>) {
      return scan_in_a_loop(lane, count, total, op);
    } else {
      return scan_warp(total, op);
    }
  }

  // The warps scan the totals of all, a lane each. From the first, which is whole if there is a second one, each other
  // warp receives what is before it, and the scan of the thread before it. (Why not the first alone: team_reduce.hpp.)
  template <bool Rarely, class T, class Op, class Meet>
  COHORT_FN static void pass_on(uint32_t size, const T& own, Op& op, Meet meet) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t lane = identity::lane();
    const uint32_t count = team_shape::warps(size);
    give_total(own, shape);
    meet();
    T total = cells::read(cells::template given<1>() + shape.first_warp + (lane < count ? lane : 0));
    T scanned = scan_totals<Rarely>(lane, count, total, op);
    T before = shuffles::value_below<32>(0xffffffffu, scanned, 1);
    T last = total;
    combine_if(lane != 0, last, before, total, op);
    if (shape.warp == 0 && lane + 1 < count) {
      cells::write(cells::received + shape.block_warp + lane + 1, scanned);
      cells::write(cells::also_received + shape.block_warp + lane + 1, last);
    }
    meet();
  }
};

}  // namespace ptx
}  // namespace cohort
