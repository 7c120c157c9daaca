// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a block and of tiles in it (PTX ISA, barrier: 16 for a block, number 0 is the block's own). There is a
// hardware barrier for each tile that a block can have, of any size, at once; only tiles of 64 in blocks of more than
// 512 threads have none left, and use pair_barrier.hpp.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../vote.hpp"
#include "../words.hpp"
#include "pair_barrier.hpp"

namespace cohort {
namespace ptx {

struct team_barrier {
  COHORT_FN static uint32_t block_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  COHORT_FN static uint32_t block_size() { return blockDim.x * blockDim.y * blockDim.z; }

  // The first thread of the caller's team, and how many it has. (Less one, the size of a block, 0, is above all
  // others.)
  COHORT_FN static uint32_t first_of(uint32_t size) { return block_rank() & ~(size - 1u); }
  COHORT_FN static uint32_t threads_of(uint32_t size) {
    const uint32_t others = block_size() - first_of(size) - 1u;
    return (others < size - 1u ? others : size - 1u) + 1u;
  }

  COHORT_FN static void sync_block() { asm volatile("barrier.sync 0;" ::: "memory"); }
  COHORT_FN static uint32_t sync_block_count(bool predicate) {
    uint32_t count;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "barrier.red.popc.u32 %0, 0, p;\n\t}"
        : "=r"(count)
        : "r"(predicate ? 1u : 0u)
        : "memory");
    return count;
  }

  COHORT_FN static void sync_team(uint32_t size, const char* /*what*/) {
    if (size == 0) return sync_block();
    if (is_whole_pair(size)) return pair().sync();
    if (size == 64 && only_here(is_pair(size))) return pair().sync_cut();
    sync_by_hardware(size);
  }
  // pre: not is_pair(size)
  COHORT_FN static void sync_by_hardware(uint32_t size) {
    if (size == 0) return sync_block();
    if (!is_cut(size)) return sync_whole_team(size);
    // A loop of one turn, which compilers do not turn into predicates: a barrier whose predicate is false costs nearly
    // as much as one.
    const uint32_t number = barrier_number(size);
    const uint32_t threads = threads_in_warps(size);
    do {
      asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
    } while (block_size() == 0);
  }

  // The same in few instructions, for what is rarely run. Pairs: whether tiles of 64 may come.
  template <bool Pairs>
  COHORT_FN static void sync_any(uint32_t size) {
    if constexpr (Pairs) {
      if (is_pair(size)) return pair().sync_cut();
    }
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier_number(size)), "r"(threads_in_warps(size)) : "memory");
  }

  // The block is made of whole tiles of this size, and there are hardware barriers for them. The same for all threads
  // of the block.
  COHORT_FN static bool has_own_barriers(uint32_t size) { return !is_cut(size) && !is_pair(size); }
  // pre: has_own_barriers(size), or it is 0
  COHORT_FN static void sync_whole_team(uint32_t size) {
    // A number of threads that is in the instruction costs nothing.
    if (size == 64) {
      asm volatile("barrier.sync %0, 64;" ::"r"(barrier_number(size)) : "memory");
    } else if (size == 128) {
      asm volatile("barrier.sync %0, 128;" ::"r"(barrier_number(size)) : "memory");
    } else if (size == 256) {
      asm volatile("barrier.sync %0, 256;" ::"r"(barrier_number(size)) : "memory");
    } else if (size == 512) {
      asm volatile("barrier.sync %0, 512;" ::"r"(barrier_number(size)) : "memory");
    } else {
      sync_block();
    }
  }

  // Called by all threads of a team, the one of `parent` threads, when it is cut into tiles of `size`.
  static constexpr bool has_team_begin = true;
  COHORT_FN static void begin_teams(uint32_t size, uint32_t parent) {
    if (!is_pair(size)) return;
    sync_team(parent, "tiled_partition");  // nobody is in an earlier tile's barrier any more
    pair().begin();
    sync_team(parent, "tiled_partition");
  }

  // The same barrier also counts. pre: not is_pair(size)
  COHORT_FN static uint32_t sync_team_count(uint32_t size, bool predicate) {
    if (size == 0) return sync_block_count(predicate);
    uint32_t count;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %3, 0;\n\t"
        "barrier.red.popc.u32 %0, %1, %2, p;\n\t}"
        : "=r"(count)
        : "r"(barrier_number(size)), "r"(is_cut(size) ? threads_in_warps(size) : size), "r"(predicate ? 1u : 0u)
        : "memory");
    return count;
  }

  // There are more tiles of this size than hardware barriers. The same for all threads of the block.
  COHORT_FN static bool is_pair(uint32_t size) { return size == 64 && block_size() > 512; }
  // The same, and each has two whole warps.
  COHORT_FN static bool is_whole_pair(uint32_t size) { return is_pair(size) && block_size() % 64 == 0; }
  COHORT_FN static pair_of_warps pair() { return pair_of_warps(block_rank(), block_size()); }

 private:
  // The last team of the block has fewer threads. The same for all threads of the block.
  COHORT_FN static bool is_cut(uint32_t size) { return (block_size() & (size - 1u)) != 0; }
  // The hardware counts warps, whole ones.
  COHORT_FN static uint32_t threads_in_warps(uint32_t size) { return (threads_of(size) + 31u) & ~31u; }

  COHORT_FN static uint32_t barrier_number(uint32_t size) {
    if (size - 1u >= 1023u) return 0;  // the block, and the one tile of 1024 in a block
    const uint32_t shift = detail::lowest_bit(size), tile = block_rank() >> shift, tiles = 1024u >> shift;
    return tile + (block_size() > 512 ? tiles - 1u     // 512: 1-2, 256: 3-6, 128: 7-14
                                      : 17u - tiles);  // 64: 1-8, 128: 9-12, 256: 13-14, 512: 15
  }
};

}  // namespace ptx
}  // namespace cohort
