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
    uint32_t lanes;
    if constexpr (sizeof(Word) == 8) {
      asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(word), "r"(mask));
    } else {
      asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"(word), "r"(mask));
    }
    return lanes;
  }

  /// Returns true if all lanes of `mask` have equal words.
  template <class Word>
  COHORT_FN static bool match_all(uint32_t mask, Word word, const char* /*op_name*/) {
    uint32_t same;
    if constexpr (sizeof(Word) == 8) {
      asm volatile(
          "{\n\t.reg .pred p;\n\t.reg .b32 lanes;\n\t"
          "match.all.sync.b64 lanes|p, %1, %2;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t}"
          : "=r"(same)
          : "l"(word), "r"(mask));
    } else {
      asm volatile(
          "{\n\t.reg .pred p;\n\t.reg .b32 lanes;\n\t"
          "match.all.sync.b32 lanes|p, %1, %2;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t}"
          : "=r"(same)
          : "r"(word), "r"(mask));
    }
    return same != 0;
  }
};

}  // namespace ptx
}  // namespace cohort
