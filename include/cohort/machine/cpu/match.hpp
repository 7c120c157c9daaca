// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes hold the same word.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct match {
  template <class Word>
  COHORT_FN static uint32_t match_any(uint32_t mask, Word word, const char* what) {
    operand<Word> mine = {word, 0};
    cohort_wait_warp(mask, resolve_any<Word>, &mine, what);
    return mine.result;
  }

  template <class Word>
  COHORT_FN static bool match_all(uint32_t mask, Word word, const char* what) {
    operand<Word> mine = {word, 0};
    cohort_wait_warp(mask, resolve_all<Word>, &mine, what);
    return mine.result != 0;
  }

 private:
  template <class Word>
  struct operand {
    Word word;
    uint32_t result;
  };
  template <class Word>
  COHORT_FN static operand<Word>& of(void* const* operands, uint32_t lane) {
    return *static_cast<operand<Word>*>(operands[lane]);
  }

  // Takes the lowest lane that has no answer yet and finds its equals, until none is left: one round a value.
  template <class Word>
  COHORT_DEVICE static void resolve_any(uint32_t lanes, void* const* operands) {
    Word words[32];
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1u) != 0) words[lane] = of<Word>(operands, lane).word;
    }
    uint32_t open = lanes;
    for (uint32_t leader = 0; open != 0; ++leader) {
      if (((open >> leader) & 1u) == 0) continue;
      uint32_t equal = 0;
      for (uint32_t lane = leader; lane < 32; ++lane) {
        if (((open >> lane) & 1u) != 0 && words[lane] == words[leader]) equal |= 1u << lane;
      }
      for (uint32_t lane = leader; lane < 32; ++lane) {
        if (((equal >> lane) & 1u) != 0) of<Word>(operands, lane).result = equal;
      }
      open &= ~equal;
    }
  }

  template <class Word>
  COHORT_DEVICE static void resolve_all(uint32_t lanes, void* const* operands) {
    bool all = true;
    Word first = 0;
    bool seen = false;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1u) == 0) continue;
      const Word word = of<Word>(operands, lane).word;
      if (!seen) first = word;
      seen = true;
      all = all && word == first;
    }
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1u) != 0) of<Word>(operands, lane).result = all ? 1u : 0u;
    }
  }
};

}  // namespace cpu
}  // namespace cohort
