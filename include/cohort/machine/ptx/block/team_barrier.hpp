// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of teams: of a block, and of its tiles of 64 to 1024 threads.
//
// A block has 16 hardware barriers (PTX ISA, barrier); number 0 belongs to the whole block. There is one for each tile
// that a block can have, of all sizes at once. The exception is a tile of 64 in a block of more than 512 threads: it
// uses warp_pair_barrier.hpp.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../contract/concept.hpp"
#include "../barrier.hpp"
#include "../identity.hpp"
#include "../optimizer_barrier.hpp"
#include "warp_pair_barrier.hpp"

namespace cohort {
namespace ptx {

struct team_barrier {
  /// Rank in the block of the first thread of the caller's team.
  COHORT_FN static uint32_t first_thread(uint32_t size) { return identity::block_thread_rank() & ~(size - 1u); }

  /// Number of threads of the caller's team. For `whole_block`, size 0, size - 1 wraps to the largest uint32_t.
  COHORT_FN static uint32_t team_threads(uint32_t size) {
    const uint32_t others = identity::block_threads() - first_thread(size) - 1u;
    return (others < size - 1u ? others : size - 1u) + 1u;
  }

  COHORT_FN static void sync_team(uint32_t size, const char* /*op_name*/) {
    if (size == whole_block) return barrier::sync_block();
    if (is_full_warp_pair(size)) return warp_pair_barrier().sync();
    if (size == 64 && pin_here(is_warp_pair(size))) return warp_pair_barrier().sync_partial();
    sync_hardware(size);
  }

  /// Barrier of a team that has a hardware barrier.
  /// @pre not is_warp_pair(size)
  COHORT_FN static void sync_hardware(uint32_t size) {
    if (size == whole_block) return barrier::sync_block();
    if (!has_partial_team(size)) return sync_full_team(size);
    // A loop of one iteration: compilers do not turn it into a predicate. A predicated barrier costs nearly as much as
    // an executed one.
    const uint32_t number = barrier_number(size);
    const uint32_t threads = threads_in_warps(size);
    do {
      barrier::sync_named(number, threads);
    } while (identity::block_threads() == 0);
  }

  /// Barrier of a team of any shape, in few instructions, for cold paths.
  /// @pre not is_warp_pair(size)
  COHORT_FN static void sync_any_shape(uint32_t size) {
    barrier::sync_named(barrier_number(size), threads_in_warps(size));
  }

  /// True if the block consists of full tiles of this size that have hardware barriers. Equal in all its threads.
  COHORT_FN static bool has_full_hardware_teams(uint32_t size) {
    return !has_partial_team(size) && !is_warp_pair(size);
  }

  /// Barrier of a full team.
  /// @pre has_full_hardware_teams(size), or size is whole_block
  COHORT_FN static void sync_full_team(uint32_t size) {
    if (size == 64) {
      barrier::sync_named<64>(barrier_number(size));
    } else if (size == 128) {
      barrier::sync_named<128>(barrier_number(size));
    } else if (size == 256) {
      barrier::sync_named<256>(barrier_number(size));
    } else if (size == 512) {
      barrier::sync_named<512>(barrier_number(size));
    } else {
      barrier::sync_block();
    }
  }

  static constexpr bool has_team_begin = true;
  /// Prepares tiles of `size` threads. Called by all threads of the team of `parent` threads that is partitioned.
  COHORT_FN static void begin_teams(uint32_t size, uint32_t parent) {
    if (!is_warp_pair(size)) return;
    sync_team(parent, "tiled_partition");  // all threads have left the barriers of earlier tiles
    warp_pair_barrier().reset();
    sync_team(parent, "tiled_partition");
  }

  /// Barrier of a team; returns the number of its threads whose `predicate` is true.
  /// @pre not is_warp_pair(size)
  COHORT_FN static uint32_t sync_team_count(uint32_t size, bool predicate) {
    if (size == whole_block) return barrier::sync_block_count(predicate);
    return barrier::sync_named_count(barrier_number(size), has_partial_team(size) ? threads_in_warps(size) : size,
                                     predicate);
  }

  /// True if the block can have more tiles of this size than hardware barriers. Equal in all threads of the block.
  COHORT_FN static bool is_warp_pair(uint32_t size) { return size == 64 && identity::block_threads() > 512; }
  /// is_warp_pair(), and each tile of the block has two full warps.
  COHORT_FN static bool is_full_warp_pair(uint32_t size) {
    return is_warp_pair(size) && identity::block_threads() % 64 == 0;
  }

 private:
  /// True if the block's last tile is partial. Equal in all threads of the block.
  COHORT_FN static bool has_partial_team(uint32_t size) { return (identity::block_threads() & (size - 1u)) != 0; }
  /// Threads of the team, rounded up to warps: the hardware counts warps.
  COHORT_FN static uint32_t threads_in_warps(uint32_t size) { return (team_threads(size) + 31u) & ~31u; }

  COHORT_FN static uint32_t barrier_number(uint32_t size) {
    if (size - 1u >= 1023u) return 0;  // the block, and a tile of 1024, which is the only one of its block
    // The comments at the ends of lines list the barriers of the tiles of each size. Two sizes share none.
    const uint32_t shift = detail::lowest_bit(size), tile = identity::block_thread_rank() >> shift,
                   tiles = 1024u >> shift;
    return tile + (identity::block_threads() > 512 ? tiles - 1u     // 512: 1-2, 256: 3-6, 128: 7-14
                                                   : 17u - tiles);  // 64: 1-8, 128: 9-12, 256: 13-14, 512: 15
  }
};

}  // namespace ptx
}  // namespace cohort
