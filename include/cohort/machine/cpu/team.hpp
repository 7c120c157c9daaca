// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of values and votes in a team: one rendezvous, which the last thread to arrive resolves for all.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "lane_values.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct team {
  static constexpr bool has_team_shuffle = true;
  static constexpr bool has_team_count = true;

  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* op_name) {
    detail::slot<T> result;
    shuffle_operand<T> mine = {&value, source, &result};
    cohort_wait_team(size, resolve_shuffle<T>, &mine, op_name);
    return result.value;
  }

  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* op_name) {
    uint32_t word = predicate ? 1u : 0u;
    cohort_wait_team(size, resolve_count, &word, op_name);
    return word;
  }

  template <class T>
  COHORT_FN static uint32_t exchange_warps(uint32_t size, const T& value, bool is_publisher, detail::slot<T>* values,
                                           const char* op_name) {
    exchanged<T> mine = {&value, values, is_publisher ? 1u : 0u};
    cohort_wait_team(size, resolve_exchange<T>, &mine, op_name);
    return mine.warps;
  }

 private:
  template <class T>
  struct shuffle_operand {
    const T* value;
    uint32_t source;
    detail::slot<T>* result;
  };

  template <class T>
  COHORT_DEVICE static void resolve_shuffle(uint32_t count, void* const* operands) {
    for (uint32_t rank = 0; rank < count; ++rank) {
      if (operands[rank] == nullptr) continue;
      shuffle_operand<T>& to = operand_of<shuffle_operand<T>>(operands, rank);
      if (to.source < count && operands[to.source] != nullptr) {
        detail::copy_value(to.result->value, *operand_of<shuffle_operand<T>>(operands, to.source).value);
      } else {
        detail::clear_value(to.result->value);
      }
    }
  }

  COHORT_DEVICE static void resolve_count(uint32_t count, void* const* operands) {
    uint32_t sum = 0;
    for (uint32_t rank = 0; rank < count; ++rank) sum += operands[rank] ? operand_of<uint32_t>(operands, rank) : 0;
    for (uint32_t rank = 0; rank < count; ++rank) {
      if (operands[rank]) operand_of<uint32_t>(operands, rank) = sum;
    }
  }

  template <class T>
  struct exchanged {
    const T* value;
    detail::slot<T>* values;
    uint32_t warps;  // before: 1 if the thread is a publisher; after: the warps that have one
  };

  template <class T>
  COHORT_DEVICE static void resolve_exchange(uint32_t count, void* const* operands) {
    uint32_t warps = 0;
    const T* values[32] = {};
    for (uint32_t rank = 0; rank < count; ++rank) {
      if (operands[rank] == nullptr) continue;
      const exchanged<T>& from = operand_of<exchanged<T>>(operands, rank);
      if (from.warps == 0) continue;
      warps |= 1u << (rank / 32);
      values[rank / 32] = from.value;
    }
    for (uint32_t rank = 0; rank < count; ++rank) {
      if (operands[rank] == nullptr) continue;
      exchanged<T>& to = operand_of<exchanged<T>>(operands, rank);
      for_each_lane(warps, [&](uint32_t warp) { detail::copy_value(to.values[warp].value, *values[warp]); });
      to.warps = warps;
    }
  }
};

}  // namespace cpu
}  // namespace cohort
