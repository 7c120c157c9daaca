// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles: exchanges of values between lanes. One rendezvous for values of any size and for any pattern.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "lane_values.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct shuffles {
  template <class T>
  COHORT_FN static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* op_name) {
    operand<T> mine(value, source);
    cohort_wait_warp(mask, resolve<T>, &mine, op_name);
    return mine.result.value;
  }

 private:
  template <class T>
  struct operand {
    T value;
    uint32_t source;
    detail::slot<T> result;
    COHORT_FN operand(const T& own, uint32_t lane) : value(own), source(lane) {}
  };

  template <class T>
  COHORT_DEVICE static void resolve(uint32_t lanes, void* const* operands) {
    for_each_lane(lanes, [&](uint32_t lane) {
      operand<T>& to = operand_of<operand<T>>(operands, lane);
      if (((lanes >> to.source) & 1u) != 0) {
        detail::copy_value(to.result.value, operand_of<const operand<T>>(operands, to.source).value);
      } else {
        detail::clear_value(to.result.value);
      }
    });
  }
};

}  // namespace cpu
}  // namespace cohort
