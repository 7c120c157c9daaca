// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trees of reference.hpp over values that lie side by side, all of whose threads take part: loops that vectorise.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace cpu {

struct packed {
  // Combines `count` values, pair by pair and level by level, and gives the result to all places.
  template <class T, class Op>
  COHORT_FN static void reduce(T* values, uint32_t count, Op& op) {
    detail::slot<T> pairs[512];
    halve(pairs, values, count, op);
    const uint32_t all = count;
    for (count = (count + 1) / 2; count > 1; count = (count + 1) / 2) halve(pairs, &pairs[0].value, count, op);
    for_each<T>(all, [&](uint32_t i) { detail::copy_value(values[i], pairs[0].value); });
  }
  // The same for a number that is known when it is compiled, a power of two.
  template <uint32_t Count, class T, class Op>
  COHORT_FN static void reduce(T* values, Op& op) {
    const T result = tree<Count, T, Op>(values, op);
    for_each<T>(Count, [&](uint32_t i) { detail::copy_value(values[i], result); });
  }

  // Replaces up to 32 values by their inclusive scan.
  template <class T, class Op>
  COHORT_FN static void scan_warp(T* values, uint32_t count, Op& op) {
    if (count == 32) return scan_steps<1>(values, op);
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t begin = step; begin < count; begin += 2 * step) {
        const uint32_t left = count - begin;
        prepend(values[begin - 1], values + begin, left < step ? left : step, op);
      }
    }
  }

  // Replaces each of `count` values by what `op` makes of `before` and it.
  template <class T, class Op>
  COHORT_FN static void prepend(const T& before, T* values, uint32_t count, Op& op) {
    T left = before;  // in registers, for the stores may not change it
    for_each<T>(count, [&](uint32_t i) {
      const T sum = op(left, values[i]);
      detail::copy_value(values[i], sum);
    });
  }

  // Moves each value to the next place; the first one gets `first`.
  template <class T>
  COHORT_FN static void shift(T* values, uint32_t count, const T& first) {
    __builtin_memmove(static_cast<void*>(values + 1), values, (count - 1) * sizeof(T));
    detail::copy_value(values[0], first);
  }

 private:
  // Calls body(i) for i = 0 .. count - 1. Values that fill a vector by themselves are combined one by one: gathering
  // their parts costs several times what it brings.
  template <class T, class Body>
  COHORT_FN static void for_each(uint32_t count, Body body) {
    if constexpr (sizeof(T) > 8) {
#if defined(__clang__)
#pragma clang loop vectorize(disable)
#endif
      for (uint32_t i = 0; i < count; ++i) body(i);
    } else {
      for (uint32_t i = 0; i < count; ++i) body(i);
    }
  }

  // Each place takes what `op` makes of a pair; an odd last value moves down alone.
  template <class T, class Op>
  COHORT_FN static void halve(detail::slot<T>* to, const T* from, uint32_t count, Op& op) {
    for_each<T>(count / 2, [&](uint32_t i) {
      T lower = from[2 * i];
      T higher = from[2 * i + 1];
      const T sum = op(lower, higher);
      detail::copy_value(to[i].value, sum);
    });
    if (count % 2 != 0) detail::copy_value(to[count / 2].value, from[count - 1]);
  }

  template <uint32_t Count, class T, class Op>
  COHORT_FN static T tree(const T* values, Op& op) {
    if constexpr (Count == 1) {
      return values[0];
    } else {
      T lower = tree<Count / 2, T, Op>(values, op);
      T higher = tree<Count / 2, T, Op>(values + Count / 2, op);
      return op(lower, higher);
    }
  }

  // All steps over 32 values, with trip counts that are constants.
  template <uint32_t Step, class T, class Op>
  COHORT_FN static void scan_steps(T* values, Op& op) {
    for_each<T>(16 / Step, [&](uint32_t i) {
      const uint32_t begin = Step + 2 * Step * i;
      prepend(values[begin - 1], values + begin, Step, op);
    });
    if constexpr (Step < 16) scan_steps<2 * Step>(values, op);
  }
};

}  // namespace cpu
}  // namespace cohort
