// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange of values between lanes (PTX ISA, shfl.sync), one instruction for each 32-bit word.
//
// A float is a float operand ("f") of the instruction. As a 32-bit word it would occupy two registers, one for the next
// shuffle and one for the next addition.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

struct shuffles {
  /// Value of lane `source`; all its bytes are zero if that lane is not in `mask`.
  template <class T>
  COHORT_FN static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* /*op_name*/) {
    words_of<T> words(value);
    // shfl would return an undefined value for a lane outside the mask.
    const bool participates = ((mask >> source) & 1u) != 0;
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      const uint32_t result = word_of(mask, words.word[i], source);
      words.word[i] = participates ? result : 0u;
    }
    return words.value();
  }

  /// Value of lane `source` modulo `Size` of the caller's aligned segment of `Size` lanes.
  /// @pre that lane participates
  template <uint32_t Size = 32, class T>
  COHORT_FN static T value_of(uint32_t mask, const T& value, uint32_t source) {
    if constexpr (detail::is_same_v<T, float>) {
      float result;
      asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                   : "=f"(result)
                   : "f"(value), "r"(source), "n"((32 - Size) << 8 | 0x1f), "r"(mask));
      return result;
    } else {
      words_of<T> words(value);
#pragma unroll
      for (uint32_t i = 0; i < words_of<T>::count; ++i) words.word[i] = word_of<Size>(mask, words.word[i], source);
      return words.value();
    }
  }

  /// Value of the lane `distance` above the caller in its aligned segment of `Size` lanes; the caller's own value if
  /// the segment ends before.
  template <uint32_t Size, class T>
  COHORT_FN static T value_above(uint32_t mask, const T& value, uint32_t distance) {
    words_of<T> words(value);
    const uint32_t within = distance < Size ? distance : 0;  // shfl uses the low 5 bits only
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      words.word[i] = __shfl_down_sync(mask, words.word[i], within, static_cast<int>(Size));
    }
    return words.value();
  }

  /// Value of the lane `distance` below the caller in its aligned segment of `Size` lanes; the caller's own value if
  /// the segment begins after.
  /// @pre the lanes below participate; distance < 32
  template <uint32_t Size, class T>
  COHORT_FN static T value_below(uint32_t mask, const T& value, uint32_t distance) {
    words_of<T> words(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      words.word[i] = __shfl_up_sync(mask, words.word[i], distance, static_cast<int>(Size));
    }
    return words.value();
  }

  /// Value of the lane whose number differs from the caller's in the bits of `lanes`.
  /// @pre that lane participates; lanes < 32
  template <class T>
  COHORT_FN static T value_across(uint32_t mask, const T& value, uint32_t lanes) {
    words_of<T> words(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      words.word[i] = __shfl_xor_sync(mask, words.word[i], static_cast<int>(lanes));
    }
    return words.value();
  }

  /// Value of the lane whose number differs from the caller's in bit `Step`. An immediate lane mask is 2 cycles faster
  /// than one in a register.
  template <uint32_t Step, class T>
  COHORT_FN static T value_across(uint32_t mask, const T& value) {
    if constexpr (detail::is_same_v<T, float>) {
      float result;
      asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;" : "=f"(result) : "f"(value), "n"(Step), "r"(mask));
      return result;
    } else {
      words_of<T> words(value);
#pragma unroll
      for (uint32_t i = 0; i < words_of<T>::count; ++i) {
        words.word[i] = __shfl_xor_sync(mask, words.word[i], static_cast<int>(Step));
      }
      return words.value();
    }
  }

 private:
  template <uint32_t Size = 32>
  COHORT_FN static uint32_t word_of(uint32_t mask, uint32_t word, uint32_t source) {
    return __shfl_sync(mask, word, static_cast<int>(source), static_cast<int>(Size));
  }
};

}  // namespace ptx
}  // namespace cohort
