// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of values that are adjacent in memory, where all threads take part: loops that vectorize.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace cpu {

struct packed {
  // Replaces each of `count` values, at most 1024, by their reduction.
  template <class T, class Op>
  COHORT_FN static void reduce(T* values, uint32_t count, Op& op) {
    detail::slot<T> pairs[512];
    detail::reduce_pairs(pairs, values, count, op);
    const uint32_t all = count;
    for (count = (count + 1) / 2; count > 1; count = (count + 1) / 2) {
      detail::reduce_pairs(pairs, &pairs[0].value, count, op);
    }
    fill(values, all, pairs[0].value);
  }
  // Replaces each of Count values, a power of two, by their reduction.
  template <uint32_t Count, class T, class Op>
  COHORT_FN static void reduce(T* values, Op& op) {
    const T result = detail::reduce_tree<Count, T, Op>(values, op);
    fill(values, Count, result);
  }

  // Replaces the `count` values of a warp by their inclusive scan.
  template <class T, class Op>
  COHORT_FN static void scan_warp(T* values, uint32_t count, Op& op) {
    if (count == 32) return detail::scan_tree<32>(values, op);
    detail::scan_tree(values, count, op);
  }

  // Moves each value to the next higher rank; rank 0 becomes `first`.
  template <class T>
  COHORT_FN static void shift(T* values, uint32_t count, const T& first) {
    __builtin_memmove(static_cast<void*>(values + 1), values, (count - 1) * sizeof(T));
    detail::copy_value(values[0], first);
  }

 private:
  template <class T>
  COHORT_FN static void fill(T* values, uint32_t count, const T& result) {
    detail::for_each_value<T>(count, [&](uint32_t i) { detail::copy_value(values[i], result); });
  }
};

}  // namespace cpu
}  // namespace cohort
