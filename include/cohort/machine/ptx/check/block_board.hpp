// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latest calls that blocks have made of collectives above the block, in global memory: 128 KB for each module.
//
// A record is found by a hash of its grid and block. No block removes its record, so a new record replaces another one
// whose block does not wait.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "block_table.hpp"
#include "call_record.hpp"

namespace cohort {
namespace ptx {

class block_board {
 public:
  /// Posts the record of the caller's block. Called by thread 0.
  /// @param kind 0: calls of the cluster, 1: of the grid and above
  COHORT_FN static void post(uint32_t kind, const call_record& record, uint32_t count) {
    const uint32_t key = key_of(kind, identity::block_rank());
    const unsigned long long word = record.counted(count, key).word();
    while (!store(key, word)) {
    }
    asm volatile("fence.sc.gpu;" ::: "memory");
  }

  /// The latest record of block `block` of the caller's grid; an empty one if it has posted none.
  COHORT_FN static call_record read(uint32_t kind, uint32_t block) {
    const uint32_t key = key_of(kind, block);
    for (uint32_t probe = 0; probe < probes; ++probe) {
      const call_record record(*at(key, probe));
      if (record.members() == key) return record;
    }
    return call_record();
  }

 private:
  /// A hash of the caller's grid, of a block and of the kind of group.
  COHORT_FN static uint32_t key_of(uint32_t kind, uint32_t block) {
    uint64_t grid;
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    return block_table::hash(grid * 0xd1342543de82ef95u + (static_cast<uint64_t>(kind) << 32 | block));
  }

  static constexpr uint32_t slots = 1u << 14, probes = 16;

  COHORT_FN static volatile unsigned long long* at(uint32_t key, uint32_t probe) {
    static __device__ unsigned long long words[slots];
    return &words[(key / 2u + probe) % slots];
  }

  /// Stores a word in the slot that has its key, else in one whose block does not wait. False if another block has
  /// taken the slot meanwhile.
  COHORT_FN static bool store(uint32_t key, unsigned long long word) {
    uint32_t free = probes - 1u;
    for (uint32_t probe = 0; probe < probes; ++probe) {
      const call_record record(*at(key, probe));
      if (record.members() == key) {
        free = probe;
        break;
      }
      if (free == probes - 1u && !record.is_waiting()) free = probe;
    }
    volatile unsigned long long* const slot = at(key, free);
    const unsigned long long before = *slot;
    return atomicCAS(const_cast<unsigned long long*>(slot), before, word) == before;
  }
};

}  // namespace ptx
}  // namespace cohort
