// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange of values between lanes (PTX ISA, shfl.sync): one instruction for each 32-bit word.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

struct shuffles {
  template <class T>
  COHORT_FN static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* /*what*/) {
    words_of<T> words(value);
    // What shfl gives from a lane outside of the mask is undefined.
    const bool takes_part = ((mask >> source) & 1u) != 0;
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      const uint32_t received = word_of(mask, words.word[i], source);
      words.word[i] = takes_part ? received : 0u;
    }
    return words.value();
  }

  // For the families of this machine. A float stays one in the instruction: as a word it would live in two registers,
  // one for the next shuffle and one for the next addition.

  // The value of a lane that takes part. Size: lanes are counted in aligned pieces of so many, `source` modulo Size.
  template <uint32_t Size = 32, class T>
  COHORT_FN static T value_of(uint32_t mask, const T& value, uint32_t source) {
    if constexpr (detail::is_same_v<T, float>) {
      float received;
      asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                   : "=f"(received)
                   : "f"(value), "r"(source), "n"((32 - Size) << 8 | 0x1f), "r"(mask));
      return received;
    } else {
      words_of<T> words(value);
#pragma unroll
      for (uint32_t i = 0; i < words_of<T>::count; ++i) words.word[i] = word_of<Size>(mask, words.word[i], source);
      return words.value();
    }
  }

  // The value of the lane `distance` above, in aligned pieces of Size lanes; the own value where there is none.
  template <uint32_t Size, class T>
  COHORT_FN static T value_above(uint32_t mask, const T& value, uint32_t distance) {
    words_of<T> words(value);
    const uint32_t within = distance < Size ? distance : 0;  // shfl looks at the low bits only
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                   : "=r"(words.word[i])
                   : "r"(words.word[i]), "r"(within), "n"((32 - Size) << 8 | 0x1f), "r"(mask));
    }
    return words.value();
  }

  // The value of the lane `distance` below, in aligned pieces of Size lanes; the own value where there is none. pre:
  // the lanes below take part; distance < 32
  template <uint32_t Size, class T>
  COHORT_FN static T value_below(uint32_t mask, const T& value, uint32_t distance) {
    words_of<T> words(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;"
                   : "=r"(words.word[i])
                   : "r"(words.word[i]), "r"(distance), "n"((32 - Size) << 8), "r"(mask));
    }
    return words.value();
  }

  // The value of the lane whose number differs in the bit `Step`. A lane in the instruction is faster than one in a
  // register.
  template <uint32_t Step, class T>
  COHORT_FN static T value_across(uint32_t mask, const T& value) {
    if constexpr (detail::is_same_v<T, float>) {
      float received;
      asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;" : "=f"(received) : "f"(value), "n"(Step), "r"(mask));
      return received;
    } else {
      words_of<T> words(value);
#pragma unroll
      for (uint32_t i = 0; i < words_of<T>::count; ++i) {
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;"
                     : "=r"(words.word[i])
                     : "r"(words.word[i]), "n"(Step), "r"(mask));
      }
      return words.value();
    }
  }

 private:
  template <uint32_t Size = 32>
  COHORT_FN static uint32_t word_of(uint32_t mask, uint32_t word, uint32_t source) {
    uint32_t received;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                 : "=r"(received)
                 : "r"(word), "r"(source), "n"((32 - Size) << 8 | 0x1f), "r"(mask));
    return received;
  }
};

}  // namespace ptx
}  // namespace cohort
