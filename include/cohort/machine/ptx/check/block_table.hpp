// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latest call of each thread of a block, in shared memory: 8.3 KB.
//
// Shared memory is uninitialised when a block begins. So each warp has a word that identifies the block by a hash of
// its rank and the grid's number, and has a bit for each lane that has posted a record.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "call_record.hpp"

namespace cohort {
namespace ptx {

class block_table {
 public:
  /// Begins the records of the calling thread, if this is its first call in the block.
  COHORT_FN static void enter(uint32_t thread) {
    words& table = memory();
    const uint32_t key = key_of_block();
    volatile unsigned long long* const warp = &table.warps[thread / 32u];
    const unsigned long long bit = 1ull << (thread % 32u);
    unsigned long long seen = *warp;
    if (seen >> 32 == key && (seen & bit) != 0) return;
    store(thread, call_record());
    if (thread == 0) {
      table.counts[0] = 0;
      table.counts[1] = 0;
    }
    fence();
    for (;;) {
      const unsigned long long lanes = seen >> 32 == key ? seen & 0xffffffffu : 0u;
      const unsigned long long found = atomicCAS(const_cast<unsigned long long*>(warp), seen,
                                                 static_cast<unsigned long long>(key) << 32 | lanes | bit);
      if (found == seen) return;
      seen = found;
    }
  }

  /// The latest record of a thread of the block; an empty one if it has posted none.
  COHORT_FN static call_record read(uint32_t thread) {
    const unsigned long long warp = *static_cast<volatile unsigned long long*>(&memory().warps[thread / 32u]);
    const bool has_entered = warp >> 32 == key_of_block() && (warp >> (thread % 32u) & 1u) != 0;
    return has_entered ? load(thread) : call_record();
  }

  /// Stores the record of the calling thread.
  COHORT_FN static void store(uint32_t thread, const call_record& record) {
    *static_cast<volatile unsigned long long*>(&memory().records[thread]) = record.word();
  }
  /// The record that the calling thread has stored.
  COHORT_FN static call_record load(uint32_t thread) {
    return call_record(*static_cast<volatile unsigned long long*>(&memory().records[thread]));
  }

  /// Between posting a record and reading: at least one of two threads that do so reads the other's record.
  COHORT_FN static void fence() { asm volatile("fence.sc.cta;" ::: "memory"); }

  /// Number of thread 0's calls above the block: of the cluster (kind 0) and of the grid (kind 1).
  COHORT_FN static uint32_t& count(uint32_t kind) { return memory().counts[kind]; }
  /// The source file of thread 0's call.
  COHORT_FN static const char*& file() { return memory().file; }

  /// A hash of 64 bits; not zero.
  COHORT_FN static uint32_t hash(uint64_t bits) {
    uint64_t mixed = bits + 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return static_cast<uint32_t>(mixed >> 32) | 1u;
  }

 private:
  struct words {
    unsigned long long warps[32];  // high half: the block's key; low half: lanes that have entered
    unsigned long long records[1024];
    const char* file;
    uint32_t counts[2];
  };
  COHORT_FN static uint32_t key_of_block() {
    uint64_t grid = 0;
#if defined(__NVPTX__) || !defined(__clang__)  // a compiler for GPUs: the tests' CPU clears shared memory
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
#endif
    return hash(identity::block_rank() ^ grid << 32);
  }
  COHORT_FN static words& memory() {
    alignas(16) __shared__ unsigned char memory[sizeof(words)];
    return *reinterpret_cast<words*>(memory);
  }
};

}  // namespace ptx
}  // namespace cohort
