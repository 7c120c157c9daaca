// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, shuffles and votes of tiles of 64 to 1024 threads: the base of such a thread_block_tile. Every function
// except the queries is a collective: all threads of the tile that have not returned call it, and all get the result.
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

// The machine's kind of barrier for a tile of `size` threads.
COHORT_ANY_SIDE constexpr barrier_kind barrier_of_tile(unsigned int size) {
  return size == 64    ? barrier_kind::tile_64
         : size == 128 ? barrier_kind::tile_128
         : size == 256 ? barrier_kind::tile_256
         : size == 512 ? barrier_kind::tile_512
                       : barrier_kind::tile_1024;
}

/// The base of a thread_block_tile of 64 to 1024 threads: its queries, barriers, shuffles and votes.
template <unsigned int Size>
class big_tile : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_block;
  /// The result of barrier_arrive().
  using arrival_token = arrival<barrier_of_tile(Size)>;

  /// Waits until all threads of the tile have arrived. Orders their accesses to shared and global memory.
  COHORT_FN static void sync(COHORT_CALLED_AT) {
    COHORT_CHECKED_CALL(sync, team, Size);
    this_machine::sync_team(Size, "thread_block_tile::sync");
  }

  /// Arrives at the tile's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the tile.
  ///      The CPU reports a violation.
  COHORT_FN static arrival_token barrier_arrive() { return arrival_token::arrive("thread_block_tile::barrier_arrive"); }
  /// Waits until all threads of the tile that have not returned have arrived. Their writes before the arrival are
  /// visible afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN static void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) {
    COHORT_CHECKED_CALL(barrier_wait, team, Size);
    token.wait("thread_block_tile::barrier_wait");
  }

  /// Size, also for a partial tile.
  COHORT_ANY_SIDE static constexpr unsigned int num_threads() { return Size; }
  /// Size, also for a partial tile (CUDA's older name).
  COHORT_ANY_SIDE static constexpr unsigned int size() { return Size; }
  /// The rank of the calling thread.
  COHORT_FN static unsigned int thread_rank() { return block_thread_rank() % Size; }

  /// The number of this tile among those of the parent.
  COHORT_FN unsigned int meta_group_rank() const { return this->meta_rank_; }
  /// The number of tiles of the parent; the last one may be partial.
  COHORT_FN unsigned int meta_group_size() const { return this->meta_size_; }

  /// The value of the thread with rank `rank` modulo Size; -1 is the last thread. Each thread may name another rank.
  /// Zero bytes if that thread does not exist or has returned.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl(T&& value, int rank COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl, team, Size);
    return exchange(value, static_cast<uint32_t>(rank) % Size, "shfl");
  }
  /// The value of the thread `delta` ranks above, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_down(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_down, team, Size);
    const uint32_t rank = thread_rank();
    return exchange(value, delta < Size - rank ? rank + delta : rank, "shfl_down");
  }
  /// The value of the thread `delta` ranks below, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_up(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_up, team, Size);
    const uint32_t rank = thread_rank();
    return exchange(value, delta <= rank ? rank - delta : rank, "shfl_up");
  }
  /// The value of the thread with rank (own rank ^ mask), or the caller's value if there is none.
  template <class T>
  COHORT_FN remove_cvref_t<T> shfl_xor(T&& value, unsigned int mask COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_xor, team, Size);
    const uint32_t rank = thread_rank();
    return exchange(value, (rank ^ mask) < Size ? rank ^ mask : rank, "shfl_xor");
  }

  /// 1 if the predicate is not zero in at least one thread, else 0.
  COHORT_FN int any(int predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(any, team, Size);
    return this_machine::count_team(Size, predicate != 0, "any") != 0 ? 1 : 0;
  }
  /// 1 if the predicate is not zero in all existing threads, else 0.
  COHORT_FN int all(int predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(all, team, Size);
    return this_machine::count_team(Size, predicate == 0, "all") == 0 ? 1 : 0;
  }

 protected:
  COHORT_FN big_tile(uint32_t meta_rank, uint32_t meta_size)
      : thread_group(kind_big_tile, Size, meta_rank, meta_size) {}

 private:
  template <class T>
  COHORT_FN static remove_cvref_t<T> exchange(T&& value, uint32_t rank, const char* op_name) {
    const remove_cvref_t<T> own = shuffle_operand(value);
    return this_machine::shuffle_team(Size, own, rank, op_name);
  }
};

}  // namespace detail
}  // namespace cohort
