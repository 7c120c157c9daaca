// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles: exchanges of values between lanes. One rendezvous for values of any size and for any pattern. Values of up
// to 8 bytes travel as words, for which gangs have vector code.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../lane_values.hpp"
#include "../port.hpp"

namespace cohort {
namespace cpu {

template <class T>
COHORT_FN T& stored(T& result) {
  return result;
}
template <class T>
COHORT_FN T& stored(detail::slot<T>& result) {
  return result.value;
}

// Gives each lane the value of its source, or zero bytes if that lane does not take part. Operand has the members
// value, source and result.
template <class Operand>
COHORT_FN void resolve_shuffle(uint32_t lanes, void* const* operands) {
  for_each_lane(lanes, [&](uint32_t lane) {
    Operand& to = operand_of<Operand>(operands, lane);
    if (((lanes >> to.source) & 1u) != 0) {
      detail::copy_value(stored(to.result), operand_of<const Operand>(operands, to.source).value);
    } else {
      detail::clear_value(stored(to.result));
    }
  });
}

}  // namespace cpu
}  // namespace cohort

extern "C" {
COHORT_DEVICE inline void cohort_resolve_shuffle32(uint32_t lanes, void* const* operands) {
  cohort::cpu::resolve_shuffle<cohort_shuffle32>(lanes, operands);
}
COHORT_DEVICE inline void cohort_resolve_shuffle64(uint32_t lanes, void* const* operands) {
  cohort::cpu::resolve_shuffle<cohort_shuffle64>(lanes, operands);
}
}

namespace cohort {
namespace cpu {

struct shuffles {
  template <class T>
  COHORT_FN static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* op_name) {
    if constexpr (sizeof(T) <= 4) {
      cohort_shuffle32 mine = {0, source, 0};
      return exchange<T>(mask, value, mine, cohort_resolve_shuffle32, op_name);
    } else if constexpr (sizeof(T) <= 8) {
      cohort_shuffle64 mine = {0, 0, source};
      return exchange<T>(mask, value, mine, cohort_resolve_shuffle64, op_name);
    } else {
      operand<T> mine(value, source);
      cohort_wait_warp(mask, resolve_large<T>, &mine, op_name);
      return mine.result.value;
    }
  }

 private:
  template <class T, class Words>
  COHORT_FN static T exchange(uint32_t mask, const T& value, Words& mine, cohort_resolve resolve, const char* op_name) {
    detail::slot<T> result;
    COHORT_COPY_BYTES(&mine.value, &value, sizeof(T));
    cohort_wait_warp(mask, resolve, &mine, op_name);
    COHORT_COPY_BYTES(static_cast<void*>(&result.value), &mine.result, sizeof(T));
    return result.value;
  }

  template <class T>
  struct operand {
    T value;
    uint32_t source;
    detail::slot<T> result;
    COHORT_FN operand(const T& own, uint32_t lane) : value(own), source(lane) {}
  };

  template <class T>
  COHORT_DEVICE static void resolve_large(uint32_t lanes, void* const* operands) {
    resolve_shuffle<operand<T>>(lanes, operands);
  }
};

}  // namespace cpu
}  // namespace cohort
