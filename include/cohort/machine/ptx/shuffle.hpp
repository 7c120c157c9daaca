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
      const uint32_t received = shuffle_word(mask, words.word[i], source);
      words.word[i] = takes_part ? received : 0u;
    }
    return words.value();
  }

 private:
  COHORT_FN static uint32_t shuffle_word(uint32_t mask, uint32_t word, uint32_t source) {
    uint32_t received;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;" : "=r"(received) : "r"(word), "r"(source), "r"(mask));
    return received;
  }
};

}  // namespace ptx
}  // namespace cohort
