// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection between values without a branch, and operators under a condition (PTX ISA, selp and lop3).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "optimizer_barrier.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

/// Stores op(left, right) in `to` if `condition` holds. The branch is kept, so that ptxas predicates the operation
/// itself instead of computing it in all lanes and selecting afterwards.
template <class T, class Op>
COHORT_FN void combine_if(bool condition, T& to, T& left, T& right, Op& op) {
  if (condition) {
    COHORT_KEEP_BRANCH("combine");
    detail::copy_value(to, op(left, right));
  }
}

/// Returns `a` if `condition` holds, else `b`. Selects word by word; the operator ?: would select between addresses.
template <class T>
COHORT_FN T select(bool condition, const T& a, const T& b) {
  words_of<T> selected(a);
  const words_of<T> other(b);
#pragma unroll
  for (uint32_t i = 0; i < words_of<T>::count; ++i) selected.word[i] = condition ? selected.word[i] : other.word[i];
  return selected.value();
}

/// All bits set if `condition` holds, else 0.
COHORT_FN uint32_t mask_if(bool condition) { return 0u - static_cast<uint32_t>(condition); }

/// Returns `a` if `mask` is all ones, `b` if it is 0. Use it for conditions that depend on each other: a predicate can
/// be used 13 cycles after its computation, three times as late as a mask.
template <class T>
COHORT_FN T select_by_mask(uint32_t mask, const T& a, const T& b) {
  words_of<T> selected(a);
  const words_of<T> other(b);
#pragma unroll
  for (uint32_t i = 0; i < words_of<T>::count; ++i) {
#if defined(__CUDA_ARCH__)
    asm("lop3.b32 %0, %1, %2, %3, 0xca;"
        : "=r"(selected.word[i])
        : "r"(mask), "r"(selected.word[i]), "r"(other.word[i]));
#else
    selected.word[i] = (mask & selected.word[i]) | (~mask & other.word[i]);
#endif
  }
  return selected.value();
}

}  // namespace ptx
}  // namespace cohort
