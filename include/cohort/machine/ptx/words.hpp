// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of any trivially copyable type as 32-bit words, the unit of shuffles and of slots in shared memory.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace ptx {

template <class T>
struct words_of {
  static constexpr uint32_t count = (sizeof(T) + 3) / 4;
  uint32_t word[count];

  COHORT_FN explicit words_of(const T& value) {
    if constexpr (sizeof(T) % 4 != 0) word[count - 1] = 0;
    COHORT_COPY_BYTES(word, &value, sizeof(T));
  }
  COHORT_FN T value() const {
    detail::slot<T> copy;
    COHORT_COPY_BYTES(static_cast<void*>(&copy.value), word, sizeof(T));
    return copy.value;
  }
};

// Makes `to` op(left, right) where `takes`. The empty statement keeps compilers from computing it everywhere and
// choosing afterwards: the operation itself is predicated.
template <class T, class Op>
COHORT_FN void combine_if(bool takes, T& to, T& left, T& right, Op& op) {
  if (takes) {
    asm volatile("");
    detail::copy_value(to, op(left, right));
  }
}

// The same number, of which compilers know nothing.
COHORT_FN uint32_t apart(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(number));
#endif
  return number;
}

// The same number, which is computed with only from here on.
COHORT_FN uint32_t only_here(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}
// The same condition, which becomes a predicate only here, and is none of the seven that there are before.
COHORT_FN bool only_here(bool condition) { return only_here(condition ? 1u : 0u) != 0; }

// a where `first`, else b. (The operator ?: would choose between addresses.)
template <class T>
COHORT_FN T choose(bool first, const T& a, const T& b) {
  words_of<T> chosen(a);
  const words_of<T> other(b);
#pragma unroll
  for (uint32_t i = 0; i < words_of<T>::count; ++i) chosen.word[i] = first ? chosen.word[i] : other.word[i];
  return chosen.value();
}

// All ones where the condition holds, else zero.
COHORT_FN uint32_t mask_if(bool condition) { return 0u - static_cast<uint32_t>(condition); }

// a where the mask is all ones, b where it is zero. Where one condition follows on another: a predicate takes three
// times as long until it can be used.
template <class T>
COHORT_FN T choose_by(uint32_t mask, const T& a, const T& b) {
  words_of<T> chosen(a);
  const words_of<T> other(b);
#pragma unroll
  for (uint32_t i = 0; i < words_of<T>::count; ++i) {
#if defined(__CUDA_ARCH__)
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(chosen.word[i]) : "r"(mask), "r"(chosen.word[i]), "r"(other.word[i]));
#else
    chosen.word[i] = (mask & chosen.word[i]) | (~mask & other.word[i]);
#endif
  }
  return chosen.value();
}

}  // namespace ptx
}  // namespace cohort
