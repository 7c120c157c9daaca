// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message channel of a warp pair. A value travels together with the number of its exchange in one access of 64
// bits, so a receiver needs neither barrier nor fence.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../optimizer_barrier.hpp"
#include "../vote.hpp"
#include "../words.hpp"
#include "warp_pair.hpp"

namespace cohort {
namespace ptx {

class warp_pair_channel : public warp_pair {
 public:
  /// Number of the warp's next exchange, for swap() and swap_if_same(). Load it early to hide the latency.
  COHORT_FN uint32_t next_exchange() const {
    uint32_t number;
    warp_sync();  // all lanes have stored the last number
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(number) : "r"(state()) : "memory");
    warp_sync();  // all lanes have loaded it before one of them stores the next
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
  /// others.
  /// @param publishes true in the warp's last lane
  template <class T>
  COHORT_FN T swap_partial(const T& value, uint32_t number, bool publishes, bool is_alone) const {
    words_of<T> mine(value);
    exchange(mine, 0, number, {publishes, is_alone ? warp_ : warp_ ^ 1u});
    if (publishes && lane_ == 0) store_state(number + (words_of<T>::count - 1u) / 2u * stride);  // the warp's only lane
    return mine.value();
  }

  /// Swaps values if all lanes of both warps pass the same code. Both warps return same(peer's value), or both return
  /// differs(). Taking functions saves the second test that a returned flag would need.
  /// @param code below 64
  /// @param number next_exchange()
  /// @pre the pair is full
  template <class T, class Same, class Differs>
  COHORT_FN T swap_if_same(const T& value, uint32_t code, uint32_t number, Same same, Differs differs) const {
    constexpr uint32_t count = words_of<T>::count < 2 ? words_of<T>::count : 2;
    words_of<T> mine(value);
    // A warp whose own lanes differ publishes a code that matches no other, different in the two warps.
    const uint32_t published = is_same(code) ? code : is_upper() ? 127u : 126u;
    const uint32_t tag = (number & low_number) | opaque(published << code_shift);
    put<count>(mine.word, tag, of_full_pair());
    while (true) {
      uint32_t tags[count];
      get(mine.word, tags, tag);
      if (vote::all(have(tags, tag, ~0u))) {
        if constexpr (words_of<T>::count > 2) exchange(mine, 2, tag + stride, of_full_pair());
        return same(mine.value());
      }
      if (vote::all(have(tags, number, low_number))) {
        warp_sync();  // after the lanes' stores of the state
        store_state(number & low_number);
        return differs();
      }
    }
  }

 private:
  static constexpr uint32_t stride = 16;  // numbers grow by the bytes of a slot: bit 4 of a number selects the slot
  static constexpr uint32_t code_shift = 25, low_number = (1u << code_shift) - 1u;

  /// The parties of an exchange.
  struct parties {
    bool publishes;  ///< the caller stores the value of its warp
    uint32_t peer;   ///< the warp whose value it receives
  };
  COHORT_FN parties of_full_pair() const { return {lane_ == 31, warp_ ^ 1u}; }

  COHORT_FN uint32_t state() const { return address(&words().states[warp_]) + 4u; }
  COHORT_FN void store_state(uint32_t number) const {
    asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"(state()), "r"(number) : "memory");
  }
  COHORT_FN static uint64_t join(uint32_t word, uint32_t number) { return static_cast<uint64_t>(number) << 32 | word; }

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
    const shared_words& all = words();
    const uint32_t to = (tag & (who.publishes ? stride : 0u)) |
                        (who.publishes ? address(&all.slots[warp_]) : address(&all.states[warp_]));
    if constexpr (Count == 1) {
      asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(to), "l"(join(word[0], tag)) : "memory");
    } else {
      asm volatile("st.relaxed.cta.shared.v2.u64 [%0], {%1, %2};" ::"r"(to), "l"(join(word[0], tag)),
                   "l"(join(word[1], tag))
                   : "memory");
    }
  }

  COHORT_FN static uint32_t slot_of(uint32_t warp, uint32_t number) {
    return (number & stride) | address(&words().slots[warp]);
  }
  /// Loads the peer's slot as it is now.
  template <uint32_t Count>
  COHORT_FN void get(uint32_t* word, uint32_t (&tags)[Count], uint32_t number) const {
    const uint32_t from = slot_of(warp_ ^ 1u, number);
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
  /// True if each tag equals `expected` in the bits of `mask`.
  template <uint32_t Count>
  COHORT_FN static bool have(const uint32_t (&tags)[Count], uint32_t expected, uint32_t mask) {
    bool all = true;
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) all = all && ((tags[i] ^ expected) & mask) == 0;
    return all;
  }
};

}  // namespace ptx
}  // namespace cohort
