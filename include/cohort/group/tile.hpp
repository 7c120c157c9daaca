// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile<Size, Parent>: Size adjacent threads of a block.
//
// If the size of the block is not a multiple of Size, the last tile is partial. It still reports Size threads, but only
// its existing threads participate in its collectives.
#pragma once

#include <stdint.h>

#include "../base/bits.hpp"
#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../machine/this_machine.hpp"
#include "big_tile.hpp"
#include "lane_group.hpp"
#include "mapping.hpp"

namespace cohort {

template <unsigned int Size, class Parent = void>
class thread_block_tile;

namespace detail {

// The kind of a tile decides how its threads wait and exchange values: they are lanes of one warp, or several warps of
// the block.
enum class tile_kind { none, in_warp, in_block };

template <unsigned int Size>
COHORT_ANY_SIDE constexpr tile_kind check_tile_size() {
  static_assert(is_power_of_two(Size) && Size <= 1024,
                "the size of a tile must be a power of two: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024");
  if (!is_power_of_two(Size) || Size > 1024) return tile_kind::none;
  return Size <= warp_size ? tile_kind::in_warp : tile_kind::in_block;
}

template <unsigned int Size, tile_kind Kind = check_tile_size<Size>()>
class tile;

/// A tile of up to 32 threads: its threads are lanes of one warp.
template <unsigned int Size>
class tile<Size, tile_kind::in_warp> : public lane_group<tile<Size, tile_kind::in_warp>> {
  using base = lane_group<tile<Size, tile_kind::in_warp>>;
  friend base;
  friend struct group_access;

 public:
  /// Waits until all threads of the tile have arrived. Orders their memory accesses.
  COHORT_FN static void sync(COHORT_CALLED_AT) {
    if constexpr (!is_single) {
      COHORT_CHECKED_CALL(sync, lanes, tile_lanes<Size>().bits);
      this_machine::sync_lanes(this_machine::template tile_mask<Size>(tile_lanes<Size>().bits),
                               "thread_block_tile::sync");
    }
  }

  /// Size, also for a partial tile.
  COHORT_ANY_SIDE static constexpr unsigned int num_threads() { return Size; }
  /// Size, also for a partial tile (CUDA's older name).
  COHORT_ANY_SIDE static constexpr unsigned int size() { return Size; }
  /// The rank of the calling thread.
  COHORT_FN static unsigned int thread_rank() { return block_thread_rank() % Size; }

  /// The value of the thread with rank `rank` modulo the size of the group; -1 is the last thread. Each thread may name
  /// another rank. If that thread does not exist or has returned, the result is zero bytes on the CPU and undefined on
  /// a GPU (docs/gpu.md). Cost on the CPU: one rendezvous.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl(T&& value, int rank COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl, lanes, this->lanes_);
    return exchange(value, static_cast<uint32_t>(rank), "shfl");
  }
  /// The value of the thread `delta` ranks above, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_down(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_down, lanes, this->lanes_);
    const remove_cvref_t<T> own = shuffle_operand(value);
    if constexpr (is_single) return own;
    return this_machine::template shuffle_tile_down<Size>(this->lanes_, own, delta, "shfl_down");
  }
  /// The value of the thread `delta` ranks below, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_up(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_up, lanes, this->lanes_);
    const remove_cvref_t<T> own = shuffle_operand(value);
    if constexpr (is_single) return own;
    return this_machine::template shuffle_tile_up<Size>(this->lanes_, own, delta, "shfl_up");
  }

  /// The value of the thread with rank (own rank ^ mask), or the caller's value if there is none.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_xor(T&& value, unsigned int mask COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_xor, lanes, this->lanes_);
    const remove_cvref_t<T> own = shuffle_operand(value);
    if constexpr (is_single) return own;
    return this_machine::template shuffle_tile_xor<Size>(this->lanes_, own, mask, "shfl_xor");
  }

  /// The number of this tile among those of the parent.
  COHORT_FN unsigned int meta_group_rank() const { return this->meta_rank_; }
  /// The number of tiles of the parent; the last one may be partial.
  COHORT_FN unsigned int meta_group_size() const { return this->meta_size_; }

 protected:
  COHORT_FN tile(uint32_t meta_rank, uint32_t meta_size) : base(tile_lanes<Size>(), Size, meta_rank, meta_size) {}

 private:
  static constexpr bool is_single = Size == 1;
  COHORT_FN uint32_t mask() const { return this_machine::template tile_mask<Size>(this->lanes_); }
  COHORT_FN static uint32_t to_ranks(uint32_t lanes) {
    return Size == warp_size ? lanes : lanes >> (this_machine::lane() & ~(Size - 1u));
  }
  COHORT_FN uint32_t ballot_ranks(bool predicate, const char* op_name) const {
    return to_ranks(this_machine::ballot(mask(), predicate, op_name));
  }
  // Returns the value of `rank` modulo Size.
  template <class T>
  COHORT_FN remove_cvref_t<T> exchange(T&& value, uint32_t rank, const char* op_name) const {
    const remove_cvref_t<T> own = shuffle_operand(value);
    if constexpr (is_single) return own;
    return this_machine::template shuffle_tile<Size>(this->lanes_, own, rank, op_name);
  }
};

// Tiles of 64 to 1024 threads.
template <unsigned int Size>
class tile<Size, tile_kind::in_block> : public big_tile<Size> {
 protected:
  COHORT_FN tile(uint32_t meta_rank, uint32_t meta_size) : big_tile<Size>(meta_rank, meta_size) {}
};

}  // namespace detail

/// A tile of any parent: Size adjacent threads of a block. Every tile converts to it.
/// @tparam Size 1, 2, 4 .. 1024.
/// @snippet examples/05_max_four_levels/max_four_levels.cu any_tile
template <unsigned int Size>
class thread_block_tile<Size, void> : public detail::tile<Size> {
 protected:
  friend struct detail::group_access;
  COHORT_FN thread_block_tile(uint32_t meta_rank, uint32_t meta_size) : detail::tile<Size>(meta_rank, meta_size) {}
};

/// A tile with its parent in the type, as tiled_partition() returns it.
/// @tparam Size 1, 2, 4 .. 1024.
/// @tparam Parent thread_block or a larger thread_block_tile.
template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  /// The number of this tile among those of the parent.
  COHORT_FN static unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
  /// The number of tiles of the parent; the last one may be partial.
  COHORT_FN static unsigned int meta_group_size() { return (Parent::num_threads() + Size - 1u) / Size; }

 private:
  friend struct detail::group_access;
  COHORT_FN thread_block_tile() : thread_block_tile<Size, void>(meta_group_rank(), meta_group_size()) {}
};

/// The calling thread, as a tile of one thread.
COHORT_FN thread_block_tile<1> this_thread() { return detail::group_access::make<thread_block_tile<1>>(0u, 1u); }

}  // namespace cohort
