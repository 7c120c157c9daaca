// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two warps of a tile of 64 threads in a block of more than 512 threads, and their shared memory. Such a block has
// more tiles of 64 than hardware barriers.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"

namespace cohort {
namespace ptx {

/// Base of warp_pair_barrier and warp_pair_channel.
class warp_pair {
 public:
  /// The pair of the calling thread.
  COHORT_FN warp_pair() : warp_pair(identity::block_thread_rank(), identity::block_threads()) {}

  COHORT_FN bool is_upper() const { return warp_ % 2 != 0; }

  /// Resets the counters of the pair. Called by all threads of the tile, between two barriers of its parent group.
  COHORT_FN void reset() const {
    if (lane_ != 0) return;
    shared_words& all = words();
    all.arrivals[warp_] = 0;
    if (is_alone_) all.arrivals[warp_ ^ 1u] = 0;  // both counts stay 0, so a lone warp never waits
    *own_state() = 0;
    for (uint32_t i = 0; i < 4; ++i) all.slots[i / 2][warp_][i % 2] = 0;
  }

 protected:
  /// A slot word of 64 bits holds a word of a value in its low half and the number of the exchange in its high half. A
  /// warp has two slots and uses them alternately. It writes a slot again only after it has read the peer's value of
  /// the exchange in between. The peer's lanes had then read the slot, because they synchronise before each write. Two
  /// words of a slot are accessed together as 128 bits. After an exchange of one word, the second word keeps the number
  /// of an older exchange.
  ///
  /// One instruction stores to a slot and to the state of the same warp. A gap between the two puts them into different
  /// banks.
  struct shared_words {
    uint64_t slots[2][32][2];
    uint64_t gap[2];
    uint64_t states[32][2];  // high half: the number of the warp's last exchange
    uint32_t arrivals[32];
  };
  static constexpr uint32_t slot_distance = sizeof(uint64_t[32][2]);
  COHORT_FN static shared_words& words() {
    alignas(2 * slot_distance) __shared__ unsigned char memory[sizeof(shared_words)];
    return *reinterpret_cast<shared_words*>(memory);
  }
  COHORT_FN uint64_t* own_state() const { return words().states[warp_]; }
  COHORT_FN static uint32_t address(const void* of) { return static_cast<uint32_t>(__cvta_generic_to_shared(of)); }
  COHORT_FN static void warp_sync() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

  const uint32_t lane_, warp_;
  const bool is_alone_;  // the block has no upper warp for this pair

 private:
  COHORT_FN warp_pair(uint32_t rank, uint32_t threads)
      : lane_(rank % 32u), warp_(rank / 32u), is_alone_(threads % 64u != 0 && (rank & ~63u) + 32u >= threads) {}
};

}  // namespace ptx
}  // namespace cohort
