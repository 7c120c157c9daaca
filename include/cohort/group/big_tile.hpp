// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile of more than 32 threads can do: barrier, shuffles and votes among several warps of a block. Base of
// thread_block_tile of 64 to 1024 threads. Every function but the queries is a collective: all threads of the tile
// call it, and all have the result. A thread that has returned from the kernel does not take part.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "lane_group.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {
namespace detail {

// Which of the machine's barriers a tile of `size` threads has.
COHORT_ANY_SIDE constexpr barrier_kind barrier_of_tile(unsigned int size) {
  return size == 64    ? barrier_kind::tile_64
         : size == 128 ? barrier_kind::tile_128
         : size == 256 ? barrier_kind::tile_256
         : size == 512 ? barrier_kind::tile_512
                       : barrier_kind::tile_1024;
}

template <unsigned int Size>
class big_tile : public thread_group {
 public:
  static constexpr cohort::thread_scope thread_scope = thread_scope_block;
  using arrival_token = arrival<barrier_of_tile(Size)>;

  // Barrier of the tile.
  COHORT_FN static void sync() { this_machine::sync_team(Size, "thread_block_tile::sync"); }

  // Barrier in two halves: each thread arrives, may do something else, then waits once with its token. Misuse is
  // reported.
  COHORT_FN static arrival_token barrier_arrive() { return arrival_token::arrive("thread_block_tile::barrier_arrive"); }
  COHORT_FN static void barrier_wait(arrival_token&& token) { token.wait("thread_block_tile::barrier_wait"); }

  // Size, also in a tile that the block's end cuts.
  COHORT_ANY_SIDE static constexpr unsigned int num_threads() { return Size; }
  COHORT_ANY_SIDE static constexpr unsigned int size() { return Size; }
  COHORT_FN static unsigned int thread_rank() { return block_thread_rank() % Size; }

  // Which of the tiles of the parent this is, and how many there are (the last may be cut).
  COHORT_FN unsigned int meta_group_rank() const { return this->meta_rank_; }
  COHORT_FN unsigned int meta_group_size() const { return this->meta_size_; }

  // The value of the thread with rank `rank`, taken modulo the size of the tile (-1 is the last thread); each thread
  // may ask for another. Zero bytes if that thread does not exist or has returned.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl(T&& value, int rank) const {
    return from(value, static_cast<uint32_t>(rank) % Size, "shfl");
  }
  // The value of the thread `delta` ranks above, or the own value where there is none.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_down(T&& value, unsigned int delta) const {
    const uint32_t rank = thread_rank();
    return from(value, delta < Size - rank ? rank + delta : rank, "shfl_down");
  }
  // The value of the thread `delta` ranks below, or the own value where there is none.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_up(T&& value, unsigned int delta) const {
    const uint32_t rank = thread_rank();
    return from(value, delta <= rank ? rank - delta : rank, "shfl_up");
  }
  // The value of the thread whose rank differs in the bits of `mask`, or the own value where there is none.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_xor(T&& value, unsigned int mask) const {
    const uint32_t rank = thread_rank();
    return from(value, (rank ^ mask) < Size ? rank ^ mask : rank, "shfl_xor");
  }

  // 1 if the predicate is not zero in any thread, else 0.
  COHORT_FN int any(int predicate) const { return this_machine::count_team(Size, predicate != 0, "any") != 0 ? 1 : 0; }
  // 1 if the predicate is not zero in all threads, else 0.
  COHORT_FN int all(int predicate) const { return this_machine::count_team(Size, predicate == 0, "all") == 0 ? 1 : 0; }

 protected:
  COHORT_FN big_tile(uint32_t meta_rank, uint32_t meta_size)
      : thread_group(kind_big_tile, Size, meta_rank, meta_size) {}

 private:
  template <class T>
  COHORT_FN static remove_cvref_t<T> from(T&& value, uint32_t rank, const char* op_name) {
    const remove_cvref_t<T> own = detail::shuffle_operand(value);
    return this_machine::shuffle_team(Size, own, rank, op_name);
  }
};

}  // namespace detail
}  // namespace cohort
