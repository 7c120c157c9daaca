// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches: the lanes whose words are equal.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../lane_values.hpp"
#include "../port.hpp"

namespace cohort {
namespace cpu {

// Each round takes the lowest lane without a result and finds the lanes with its word: one round for each value.
template <class Operand>
COHORT_FN void resolve_match(uint32_t lanes, void* const* operands) {
  decltype(Operand::word) words[32] = {};
  for_each_lane(lanes, [&](uint32_t lane) { words[lane] = operand_of<Operand>(operands, lane).word; });
  for (uint32_t open = lanes; open != 0;) {
    const auto word = words[__builtin_ctz(open)];
    uint32_t equal = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) equal |= (words[lane] == word ? 1u : 0u) << lane;
    equal &= open;
    for_each_lane(equal, [&](uint32_t lane) { operand_of<Operand>(operands, lane).result = equal; });
    open &= ~equal;
  }
}

}  // namespace cpu
}  // namespace cohort

extern "C" {
COHORT_DEVICE inline void cohort_resolve_match32(uint32_t lanes, void* const* operands) {
  cohort::cpu::resolve_match<cohort_match32>(lanes, operands);
}
COHORT_DEVICE inline void cohort_resolve_match64(uint32_t lanes, void* const* operands) {
  cohort::cpu::resolve_match<cohort_match64>(lanes, operands);
}
}

namespace cohort {
namespace cpu {

struct match {
  template <class Word>
  COHORT_FN static uint32_t match_any(uint32_t mask, Word word, const char* op_name) {
    operand<Word> mine = {word, 0};
    cohort_wait_warp(mask, sizeof(Word) == 8 ? cohort_resolve_match64 : cohort_resolve_match32, &mine, op_name);
    return mine.result;
  }

  template <class Word>
  COHORT_FN static uint32_t match_all(uint32_t mask, Word word, const char* op_name) {
    operand<Word> mine = {word, 0};
    cohort_wait_warp(mask, resolve_all<Word>, &mine, op_name);
    return mine.result;
  }

 private:
  template <class Word>
  using operand = typename detail::conditional<sizeof(Word) == 8, cohort_match64, cohort_match32>::type;

  template <class Word>
  COHORT_DEVICE static void resolve_all(uint32_t lanes, void* const* operands) {
    const Word word = operand_of<operand<Word>>(operands, static_cast<uint32_t>(__builtin_ctz(lanes))).word;
    Word different = 0;
    for_each_lane(lanes, [&](uint32_t lane) { different |= operand_of<operand<Word>>(operands, lane).word ^ word; });
    const uint32_t all = different == 0 ? lanes : 0;
    for_each_lane(lanes, [&](uint32_t lane) { operand_of<operand<Word>>(operands, lane).result = all; });
  }
};

}  // namespace cpu
}  // namespace cohort
