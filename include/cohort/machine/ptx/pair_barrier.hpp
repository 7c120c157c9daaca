// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two warps of a tile of 64 threads in a block of more than 512, which has more tiles than hardware has barriers:
// each says in shared memory how often it has arrived, and looks what the other says. Values travel together with that
// number, in one access of 64 bits, and need no barrier.
//
// Lane 0 does it, under a predicate, and a vote tells the others: so the lanes never part. (An mbarrier takes longer: 7
// cycles of the multiprocessor for each arrival.) What counts is made when the tiles are made.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

class pair_of_warps {
 public:
  // rank: of the thread in the block; threads: of the block
  COHORT_FN pair_of_warps(uint32_t rank, uint32_t threads)
      : lane_(rank % 32u), warp_(rank / 32u), alone_(threads % 64u != 0 && (rank & ~63u) + 32u >= threads) {}

  COHORT_FN uint32_t lane() const { return lane_; }
  COHORT_FN bool is_upper() const { return warp_ % 2 != 0; }
  COHORT_FN bool is_alone() const { return alone_; }  // the block has no other warp for it

  // Called by all threads of the tile, between two barriers of the group that is cut.
  COHORT_FN void begin() const {
    if (lane_ != 0) return;
    words().arrivals[warp_] = 0;
    if (alone_) words().arrivals[warp_ ^ 1u] = 0x7fffffffu;  // who does not exist has always arrived
    words().exchanges[warp_] = 0;
    for (uint32_t i = 0; i < 4; ++i) words().slots[i / 2][warp_][i % 2] = 0;
  }

  // The barrier.
  COHORT_FN void sync() const {
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    const uint32_t mine = address(&words().arrivals[warp_]);
    uint32_t arrival;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "fence.acq_rel.cta;\n\t"
        "setp.eq.u32 p, %2, 0;\n\t"
        "mov.u32 %0, 0;\n\t"
        "@p ld.relaxed.cta.shared.u32 %0, [%1];\n\t"
        "add.u32 %0, %0, 1;\n\t"
        "@p st.relaxed.cta.shared.u32 [%1], %0;\n\t}"
        : "=&r"(arrival)
        : "r"(mine), "r"(lane_)
        : "memory");
    uint32_t waits;
    do {
      asm volatile(
          "{\n\t.reg .pred p;\n\t.reg .u32 now;\n\t"
          "setp.eq.u32 p, %3, 0;\n\t"
          "mov.u32 now, %2;\n\t"
          "@p ld.acquire.cta.shared.u32 now, [%1];\n\t"
          "sub.u32 now, now, %2;\n\t"
          "setp.lt.s32 p, now, 0;\n\t"
          "vote.sync.any.pred p, p, 0xffffffff;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t}"
          : "=r"(waits)
          : "r"(mine ^ 4u), "r"(arrival), "r"(lane_)
          : "memory");
    } while (waits != 0);
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  }

  // How many exchanges the warp has made. Asked for early, for the answer takes its time.
  COHORT_FN uint32_t exchanges() const {
    uint32_t count;
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];"
                 : "=r"(count)
                 : "r"(address(&words().exchanges[warp_]))
                 : "memory");
    return count;
  }

  // The other warp's value; anything if the caller's is alone. One lane of each speaks for it. count: exchanges()
  // There are two sets of slots, by turns: who writes the next value has seen the other's last one, and so the other
  // has read the value before.
  template <class T>
  COHORT_FN T swap(const T& value, bool speaks, uint32_t count) const {
    words_of<T> mine(value);
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");  // all lanes know the count
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; i += 2) {
      ++count;
      const bool two = i + 1 < words_of<T>::count;
      const uint32_t slot = address(&words().slots[count % 2][warp_][0]);
      if (speaks) {
        put(slot, mine.word[i], count);
        if (two) put(slot + 8u, mine.word[two ? i + 1 : i], count);
        asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"(address(&words().exchanges[warp_])), "r"(count)
                     : "memory");
      }
      const uint32_t other = slot ^ 16u;
      mine.word[i] = get(other, count);
      if (two) mine.word[two ? i + 1 : i] = get(other + 8u, count);
    }
    return mine.value();
  }

 private:
  struct shared_words {
    uint64_t slots[2][32][2];  // a word and the number of its exchange
    uint32_t arrivals[32];
    uint32_t exchanges[32];
  };
  COHORT_FN static shared_words& words() {
    __shared__ alignas(16) unsigned char memory[sizeof(shared_words)];
    return *reinterpret_cast<shared_words*>(memory);
  }
  COHORT_FN static uint32_t address(const void* of) { return static_cast<uint32_t>(__cvta_generic_to_shared(of)); }

  COHORT_FN static void put(uint32_t slot, uint32_t word, uint32_t count) {
    asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(slot), "l"(static_cast<uint64_t>(count) << 32 | word)
                 : "memory");
  }
  COHORT_FN uint32_t get(uint32_t slot, uint32_t count) const {
    uint64_t found;
    uint32_t waits;
    do {
      asm volatile(
          "{\n\t.reg .pred p, q;\n\t.reg .u32 low, high;\n\t"
          "setp.eq.u32 q, %4, 0;\n\t"
          "ld.relaxed.cta.shared.u64 %0, [%2];\n\t"
          "mov.b64 {low, high}, %0;\n\t"
          "setp.ne.u32 p, high, %3;\n\t"
          "and.pred p, p, q;\n\t"
          "vote.sync.any.pred p, p, 0xffffffff;\n\t"
          "selp.u32 %1, 1, 0, p;\n\t}"
          : "=&l"(found), "=r"(waits)
          : "r"(slot), "r"(count), "r"(alone_ ? 1u : 0u)
          : "memory");
    } while (waits != 0);
    return static_cast<uint32_t>(found);
  }

  const uint32_t lane_, warp_;
  const bool alone_;
};

}  // namespace ptx
}  // namespace cohort
