// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message channel of a warp pair. A value travels together with the number of its exchange in one access of 64
// bits, so a receiver needs neither barrier nor fence.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../select.hpp"
#include "../vote.hpp"
#include "../words.hpp"
#include "warp_pair.hpp"

namespace cohort {
namespace ptx {

class warp_pair_channel : public warp_pair {
 public:
  /// Number of the warp's next exchange, for swap() and shuffle(). Load it early to hide the latency.
  COHORT_FN uint32_t next_exchange() const {
    uint32_t number;
    warp_sync();  // all lanes have stored the last number
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(number) : "r"(state()) : "memory");
    warp_sync();  // all lanes have loaded the number before one lane stores the next
    return number + stride;
  }

  /// Publishes the value of the caller warp's last lane; returns that of the peer warp's last lane.
  /// @param number next_exchange()
  /// @pre the pair is full
  template <class T>
  COHORT_FN T swap(const T& value, uint32_t number) const {
    words_of<T> mine(value);
    exchange(mine, 0, number, of_full_pair());
    return mine.value();
  }

  /// swap() of a pair that may be partial. A warp without a peer gets its own value, so it takes the path of the
  /// the warp's only lane stores the state
  template <class T>
  COHORT_FN T swap_partial(const T& value, uint32_t number, bool publishes, bool is_alone) const {
    words_of<T> mine(value);
    exchange(mine, 0, number, {publishes, is_alone ? warp_ : warp_ ^ 1u});
    if (publishes && lane_ == 0) store_state(number + (words_of<T>::count - 1u) / 2u * stride);  // the warp's only lane
    return mine.value();
  }

  /// Shuffle of the pair: returns the value of its thread `rank`. Both warps take the same one of three paths. The
  /// first serves one rank that all lanes of the pair request. The second is for requests of several ranks in each
  /// warp. All other requests take the third: both warps return mixed(). Neither of the first two paths has a barrier.
  /// @param value the caller's value
  /// @param near_of returns the value of lane `rank` modulo 32 of the caller's warp
  /// @param rank below 64
  /// @param number next_exchange()
  /// @pre the pair is full
  template <class T, class Near, class Mixed>
  COHORT_FN T shuffle(const T& value, Near near_of, uint32_t rank, uint32_t number, Mixed mixed) const {
    constexpr uint32_t count = words_of<T>::count < 2 ? words_of<T>::count : 2;
    uint32_t tags[count];
    if (is_same(rank)) {
      const T near = near_of();
      words_of<T> swapped(near);
      const uint32_t tag = (number & ~codes) | rank;
      put<count>(swapped.word, tag, of_full_pair());
      while (true) {
        get(swapped.word, tags, tag);
        if (vote::all(have(tags, tag))) {
          if constexpr (words_of<T>::count > 2) exchange(swapped, 2, tag + stride, of_full_pair());
          return select((rank / 32u != 0) == is_upper(), near, swapped.value());
        }
        if (vote::all(tags[0] != tag && belongs_to_exchange(tags[0], number))) break;
      }
    } else {
      words_of<T> own(value);
      const uint32_t tag = (number & ~codes) | by_lane;
      put_lane(own.word[0], tag);
      put_tag(tag);
      const uint32_t found = wait_for_any(own.word[0], lane_word(rank, tag), number);
      if (vote::all(found == tag)) return shuffle_by_lane(own, rank, tag);
    }
    warp_sync();  // orders the number after the lanes' stores
    store_state(number & ~codes);
    return mixed();
  }

  /// One word for each thread of the caller's pair, at the thread's rank in the block. For the mixed() of shuffle(),
  /// which ends before the pair's next exchange begins.
  COHORT_FN static uint32_t* pair_words() { return lane_words(identity::block_thread_rank()); }

 private:
  /// Numbers grow by the distance of a warp's two slots: that bit of a number selects the slot. The bits below hold the
  /// code of a shuffle: the rank that all lanes request, or by_lane.
  static constexpr uint32_t stride = slot_distance, codes = stride - 1u;
  static constexpr uint32_t by_lane = 127;

  /// The parties of an exchange.
  struct parties {
    bool publishes;  ///< the caller stores the value of its warp
    uint32_t peer;   ///< the warp whose value the caller receives
  };
  COHORT_FN parties of_full_pair() const { return {lane_ == 31, warp_ ^ 1u}; }

  COHORT_FN uint32_t state() const { return address(own_state()) + 4u; }
  COHORT_FN void store_state(uint32_t number) const {
    asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"(state()), "r"(number) : "memory");
  }
  COHORT_FN static uint64_t join(uint32_t word, uint32_t number) { return static_cast<uint64_t>(number) << 32 | word; }

  /// Two words for each thread of the block: the number of an exchange selects one, as it selects the slot. The words
  /// of two adjacent pairs fill 1024 bytes.
  /// @return the address from which the block's thread `thread` counts its first word
  COHORT_FN static uint32_t* lane_words(uint32_t thread) {
    alignas(2 * slot_distance) __shared__ uint32_t words[2048];
    return words + (thread & ~127u);
  }
  /// Address of the lane word of the pair's thread `rank` in exchange `number`.
  COHORT_FN uint32_t lane_word(uint32_t rank, uint32_t number) const {
    const uint32_t first = (warp_ & ~1u) * 32u;
    return ((number & stride) | address(lane_words(first) + first)) + rank * 4u;
  }
  /// Stores the caller's lane word, with release semantics for the tag that its warp stores next.
  COHORT_FN void put_lane(uint32_t word, uint32_t number) const {
    asm volatile(
        "st.relaxed.cta.shared.u32 [%0], %1;\n\t"
        "bar.warp.sync 0xffffffff;\n\t"
        "fence.acq_rel.cta;" ::"r"(lane_word((warp_ & 1u) * 32u + lane_, number)),
        "r"(word)
        : "memory");
  }
  /// The second half of shuffle() where each lane has its own source: both warps have published their first words.
  template <class Words>
  COHORT_FN auto shuffle_by_lane(Words& own, uint32_t rank, uint32_t tag) const {
#pragma unroll
    for (uint32_t i = 1; i < Words::count; ++i) {
      tag += stride;
      put_lane(own.word[i], tag);  // synchronises the lanes: all have read the previous words
      put_tag(tag);
      wait_for_any(own.word[i], lane_word(rank, tag), tag);
    }
    return own.value();
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

  /// Exchanges the words of a value from word `first` on, up to two in one exchange.
  template <class Words>
  COHORT_FN void exchange(Words& mine, uint32_t first, uint32_t number, parties who) const {
#pragma unroll
    for (uint32_t i = first; i < Words::count; i += 2) {
      if (i != first) warp_sync();  // all lanes have read the last words: the peer may write that slot again
      if (i + 1 < Words::count) {
        exchange<2>(mine.word + i, number, who);
      } else {
        exchange<1>(mine.word + i, number, who);
      }
      number += stride;
    }
  }
  template <uint32_t Count>
  COHORT_FN void exchange(uint32_t* word, uint32_t number, parties who) const {
    put<Count>(word, number, who);
    wait_for<Count>(word, number, who.peer);
  }

  /// Stores the value and the warp's new state by one instruction: one lane writes the slot, the others the state.
  template <uint32_t Count>
  COHORT_FN void put(const uint32_t* word, uint32_t tag, parties who) const {
    const uint32_t to = place_of(tag, who);
    if constexpr (Count == 1) {
      asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(to), "l"(join(word[0], tag)) : "memory");
    } else {
      asm volatile("st.relaxed.cta.shared.v2.u64 [%0], {%1, %2};" ::"r"(to), "l"(join(word[0], tag)),
                   "l"(join(word[1], tag))
                   : "memory");
    }
  }

  /// put() of only a tag: the word keeps an older value.
  COHORT_FN void put_tag(uint32_t tag) const {
    asm volatile("st.relaxed.cta.shared.u32 [%0+4], %1;" ::"r"(place_of(tag, of_full_pair())), "r"(tag) : "memory");
  }
  COHORT_FN uint32_t place_of(uint32_t tag, parties who) const {
    return (tag & (who.publishes ? stride : 0u)) |
           (who.publishes ? address(&words().slots[0][warp_]) : address(own_state()));
  }

  COHORT_FN static uint32_t slot_of(uint32_t warp, uint32_t number) {
    return (number & stride) | address(&words().slots[0][warp]);
  }
  /// Loads the peer's slot as it is now, with acquire semantics for its lane words.
  template <uint32_t Count>
  COHORT_FN void get(uint32_t* word, uint32_t (&tags)[Count], uint32_t number) const {
    const uint32_t from = slot_of(warp_ ^ 1u, number);
    uint64_t found[2];
    if constexpr (Count == 1) {
      asm volatile("ld.acquire.cta.shared.u64 %0, [%1];" : "=l"(found[0]) : "r"(from) : "memory");
    } else {
      asm volatile("ld.acquire.cta.shared.v2.u64 {%0, %1}, [%2];"
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
  /// Polls the peer's slot until it holds exchange `number`. One statement with a uniform branch: all lanes load the
  /// same word by one instruction, so they stay converged. Compilers cannot derive that from a loop in C++, and a vote
  /// would cost more.
  template <uint32_t Count>
  COHORT_FN static void wait_for(uint32_t* word, uint32_t number, uint32_t peer) {
    const uint32_t from = slot_of(peer, number);
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
  /// wait_for() for any code: returns the first tag of exchange `number`. `word` becomes the lane word at `from`,
  /// loaded after each load of the tag, whose acquire semantics order the two.
  COHORT_FN uint32_t wait_for_any(uint32_t& word, uint32_t from, uint32_t number) const {
    uint32_t tag;
    asm volatile(
        "{\n\t.reg .pred p;\n\t.reg .u32 other;\n"
        "again:\n\t"
        "ld.acquire.cta.shared.u32 %0, [%2+4];\n\t"
        "ld.relaxed.cta.shared.u32 %1, [%5];\n\t"
        "xor.b32 other, %0, %3;\n\t"
        "and.b32 other, other, %4;\n\t"
        "setp.ne.u32 p, other, 0;\n\t"
        "@p bra.uni again;\n\t}"
        : "=&r"(tag), "=&r"(word)
        : "r"(slot_of(warp_ ^ 1u, number)), "r"(number), "n"(~codes), "r"(from)
        : "memory");
    return tag;
  }
  COHORT_FN static bool belongs_to_exchange(uint32_t tag, uint32_t number) { return ((tag ^ number) & ~codes) == 0; }
  template <uint32_t Count>
  COHORT_FN static bool have(const uint32_t (&tags)[Count], uint32_t expected) {
    bool all = true;
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) all = all && tags[i] == expected;
    return all;
  }
};

}  // namespace ptx
}  // namespace cohort
