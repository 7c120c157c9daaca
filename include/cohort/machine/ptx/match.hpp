// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison of words between lanes (PTX ISA, match.sync).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct match {
  /// Returns the lanes of `mask` whose word equals the caller's.
  template <class Word>
  COHORT_FN static uint32_t match_any(uint32_t mask, Word word, const char* /*op_name*/) {
    if constexpr (sizeof(Word) == 8) {
      return __match_any_sync(mask, static_cast<unsigned long long>(word));
    } else {
      return __match_any_sync(mask, word);
    }
  }

  /// Returns the lanes of `mask` that have not returned if all their words are equal, else 0.
  template <class Word>
  COHORT_FN static uint32_t match_all(uint32_t mask, Word word, const char* /*op_name*/) {
    uint32_t lanes;
    if constexpr (sizeof(Word) == 8) {
      asm volatile("match.all.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(word), "r"(mask));
    } else {
      asm volatile("match.all.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"(word), "r"(mask));
    }
    return lanes;
  }
};

}  // namespace ptx
}  // namespace cohort
