// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two warps of a tile of 64 threads in a block of more than 512, which has more tiles than hardware has barriers:
// each says in shared memory how often it has arrived, and looks what the other says. Values travel together with the
// number of their exchange, in one access of 64 bits, and need neither barrier nor fence.
//
// What many such warps wait for is the multiprocessor's access to shared memory, one after the other: so accesses are
// few, and those of two bits of news are one instruction. All lanes look, and a vote keeps them together. What counts
// is made when the tiles are made.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../vote.hpp"
#include "../words.hpp"

namespace cohort {
namespace ptx {

class pair_of_warps {
 public:
  // rank: of the thread in the block; threads: of the block
  COHORT_FN pair_of_warps(uint32_t rank, uint32_t threads)
      : lane_(rank % 32u), warp_(rank / 32u), is_alone_(threads % 64u != 0 && (rank & ~63u) + 32u >= threads) {}

  COHORT_FN bool is_upper() const { return warp_ % 2 != 0; }

  // Called by all threads of the tile, between two barriers of the group that is cut.
  COHORT_FN void begin() const {
    if (lane_ != 0) return;
    shared_words& all = words();
    all.arrivals[warp_] = 0;
    if (is_alone_) all.arrivals[warp_ ^ 1u] = 0;  // as many as it will have itself
    all.states[warp_][0] = 0;
    for (uint32_t i = 0; i < 4; ++i) all.slots[warp_][i / 2][i % 2] = 0;
  }

  // The barrier. pre: the pair is whole. All lanes count, each with a fence of its own: one instruction adds all their
  // ones, and a branch to one of them would take longer.
  COHORT_FN void sync() const {
    arrive();
    warp_sync();  // a lane that looks sees all lanes of its own warp
    wait();
  }
  // The same where the block's last pair may have less than two whole warps.
  COHORT_FN void sync_cut() const {
    warp_sync();
    if (only_here(lane_ == 0 && !is_alone_)) arrive();
    warp_sync();
    wait();
  }

  // The number of the warp's next exchange. Asked for early, for the answer takes its time.
  COHORT_FN uint32_t next_exchange() const {
    uint32_t number;
    warp_sync();  // all lanes have said the last one
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(number) : "r"(state()) : "memory");
    warp_sync();  // all lanes know it before one of them says the next
    return number + turn;
  }

  // What the other warp's last lane gave; the caller's last lane gives its own. pre: the pair is whole. number:
  // next_exchange()
  template <class T>
  COHORT_FN T swap(const T& value, uint32_t number) const {
    words_of<T> mine(value);
    exchange(mine, 0, number);
    return mine.value();
  }

  // The same, if all lanes of both warps have the same `code`, which is below 64: then it is same(other's value), else
  // differs(), in both warps. (A flag that says which would be asked for once more.)
  template <class T, class Same, class Differs>
  COHORT_FN T swap_if_same(const T& value, uint32_t code, uint32_t number, Same same, Differs differs) const {
    constexpr uint32_t count = words_of<T>::count < 2 ? words_of<T>::count : 2;
    words_of<T> mine(value);
    // Other codes than the caller's where a warp's own lanes differ, and not the same in both.
    const uint32_t said = is_same(code) ? code : is_upper() ? 127u : 126u;
    const uint32_t tag = (number & low_number) | apart(said << code_shift);
    put<count>(mine.word, tag);
    while (true) {
      uint32_t tags[count];
      get(mine.word, tags, tag);
      if (vote::all(have(tags, tag, ~0u))) {
        if constexpr (words_of<T>::count > 2) exchange(mine, 2, tag + turn);
        return same(mine.value());
      }
      if (vote::all(have(tags, number, low_number))) {
        warp_sync();  // behind what the lanes have said of the state
        asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"(state()), "r"(number & low_number) : "memory");
        return differs();
      }
    }
  }

 private:
  static constexpr uint32_t turn = 16;  // exchanges are counted in bytes of a slot
  static constexpr uint32_t code_shift = 25, low_number = (1u << code_shift) - 1u;

  // A word of 64 bits has a value's word below and the number of the exchange above. There are two slots, by turns: who
  // writes the next value has seen the other's last one, and so the other has read the value before; all its lanes
  // have, for they meet before they write again (warp_sync in next_exchange, and between the words of one value). Two
  // words of a slot are written and read as one access of 128 bits: the second one may have a number of long ago.
  struct shared_words {
    uint64_t slots[32][2][2];
    uint64_t states[32][2];  // the number of the warp's last exchange, above anything
    uint32_t arrivals[32];
  };
  COHORT_FN static shared_words& words() {
    alignas(32) __shared__ unsigned char memory[sizeof(shared_words)];
    return *reinterpret_cast<shared_words*>(memory);
  }
  COHORT_FN static uint32_t address(const void* of) { return static_cast<uint32_t>(__cvta_generic_to_shared(of)); }
  COHORT_FN uint32_t state() const { return address(&words().states[warp_]) + 4u; }
  COHORT_FN static void warp_sync() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
  COHORT_FN bool is_speaker() const { return lane_ == 31; }
  COHORT_FN static uint64_t join(uint32_t word, uint32_t number) { return static_cast<uint64_t>(number) << 32 | word; }

  COHORT_FN void arrive() const {
    asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(address(&words().arrivals[warp_])) : "memory");
  }
  // The first looks are written out: who leaves a loop where it ends jumps once more.
  COHORT_FN void wait() const {
    if (!has_to_wait()) return;
    if (!has_to_wait()) return;
    while (has_to_wait()) {
    }
  }
  // The lower warp while it is ahead, the upper one while it is.
  COHORT_FN bool has_to_wait() const {
    const uint32_t upper = is_upper() ? ~0u : 0u;
    uint32_t waits;
    asm volatile(
        "{\n\t.reg .pred p;\n\t.reg .u32 ahead, other;\n\t"
        "ld.acquire.cta.shared.v2.u32 {ahead, other}, [%1];\n\t"
        "sub.u32 ahead, ahead, other;\n\t"
        "sub.u32 ahead, ahead, %2;\n\t"
        "xor.b32 ahead, ahead, %3;\n\t"
        "and.b32 ahead, ahead, 0x80000000;\n\t"
        "setp.eq.u32 p, ahead, 0;\n\t"
        "vote.sync.any.pred p, p, 0xffffffff;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(waits)
        : "r"(address(&words().arrivals[warp_ & ~1u])), "r"(upper + 1u), "r"(upper)
        : "memory");
    return waits != 0;
  }

  COHORT_FN static bool is_same(uint32_t code) {
    uint32_t same;
    asm volatile(
        "{\n\t.reg .pred p;\n\t.reg .u32 lanes;\n\t"
        "match.all.sync.b32 lanes|p, %1, 0xffffffff;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(same)
        : "r"(code));
    return same != 0;
  }

  // All words from `first` on.
  template <class Words>
  COHORT_FN void exchange(Words& mine, uint32_t first, uint32_t number) const {
#pragma unroll
    for (uint32_t i = first; i < Words::count; i += 2) {
      if (i != first) warp_sync();  // all lanes have read the last ones: the other warp may write there again
      if (i + 1 < Words::count) {
        exchange<2>(mine.word + i, number);
      } else {
        exchange<1>(mine.word + i, number);
      }
      number += turn;
    }
  }
  template <uint32_t Count>
  COHORT_FN void exchange(uint32_t* word, uint32_t number) const {
    put<Count>(word, number);
    wait_for<Count>(word, number);
  }

  // The last lane writes the slot, and in the same instruction the others what the warp's state is now.
  template <uint32_t Count>
  COHORT_FN void put(const uint32_t* word, uint32_t tag) const {
    const shared_words& all = words();
    const uint32_t to =
        (tag & (is_speaker() ? turn : 0u)) | (is_speaker() ? address(&all.slots[warp_]) : address(&all.states[warp_]));
    if constexpr (Count == 1) {
      asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(to), "l"(join(word[0], tag)) : "memory");
    } else {
      asm volatile("st.relaxed.cta.shared.v2.u64 [%0], {%1, %2};" ::"r"(to), "l"(join(word[0], tag)),
                   "l"(join(word[1], tag))
                   : "memory");
    }
  }

  COHORT_FN uint32_t slot_of_other(uint32_t number) const {
    return (number & turn) | address(&words().slots[warp_ ^ 1u]);
  }
  // What the other's slot has now.
  template <uint32_t Count>
  COHORT_FN void get(uint32_t* word, uint32_t (&tags)[Count], uint32_t number) const {
    const uint32_t from = slot_of_other(number);
    uint64_t found[2];
    if constexpr (Count == 1) {
      asm volatile("ld.relaxed.cta.shared.u64 %0, [%1];" : "=l"(found[0]) : "r"(from) : "memory");
    } else {
      asm volatile("ld.relaxed.cta.shared.v2.u64 {%0, %1}, [%2];"
                   : "=l"(found[0]), "=l"(found[1])
                   : "r"(from)
                   : "memory");
    }
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) {
      word[i] = static_cast<uint32_t>(found[i]);
      tags[i] = static_cast<uint32_t>(found[i] >> 32);
    }
  }
  // The same, as soon as it has come. All lanes of a warp read one word by one instruction and see the same; nothing
  // but the loop itself tells a compiler that they stay together, and a vote would cost more.
  template <uint32_t Count>
  COHORT_FN void wait_for(uint32_t* word, uint32_t number) const {
    const uint32_t from = slot_of_other(number);
    if constexpr (Count == 1) {
      asm volatile(
          "{\n\t.reg .pred p;\n\t.reg .u32 tag;\n\t.reg .b64 found;\n"
          "again:\n\t"
          "ld.relaxed.cta.shared.b64 found, [%1];\n\t"
          "mov.b64 {%0, tag}, found;\n\t"
          "setp.ne.u32 p, tag, %2;\n\t"
          "@p bra.uni again;\n\t}"
          : "=&r"(word[0])
          : "r"(from), "r"(number)
          : "memory");
    } else {
      asm volatile(
          "{\n\t.reg .pred p;\n\t.reg .u32 tag, other_tag;\n\t.reg .b64 found, other;\n"
          "again:\n\t"
          "ld.relaxed.cta.shared.v2.b64 {found, other}, [%2];\n\t"
          "mov.b64 {%0, tag}, found;\n\t"
          "mov.b64 {%1, other_tag}, other;\n\t"
          "setp.ne.u32 p, tag, %3;\n\t"
          "setp.ne.or.u32 p, other_tag, %3, p;\n\t"
          "@p bra.uni again;\n\t}"
          : "=&r"(word[0]), "=&r"(word[1])
          : "r"(from), "r"(number)
          : "memory");
    }
  }
  // The bits `which` of the tags are those of `expected`.
  template <uint32_t Count>
  COHORT_FN static bool have(const uint32_t (&tags)[Count], uint32_t expected, uint32_t which) {
    bool all = true;
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) all = all && ((tags[i] ^ expected) & which) == 0;
    return all;
  }

  const uint32_t lane_, warp_;
  const bool is_alone_;
};

}  // namespace ptx
}  // namespace cohort
