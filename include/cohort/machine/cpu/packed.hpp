// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of values that are adjacent in memory, where all threads take part: loops that vectorize.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace cpu {

struct packed {
  // Replaces each of `count` values, at most 1024, by their reduction.
  template <class T, class Op>
  COHORT_FN static void reduce(T* values, uint32_t count, Op& op) {
    if constexpr (is_vector_op<T, Op>) {
      // A run of 2^k values that begins at a multiple of 2^k is a subtree of the written tree.
      T totals[1024 / run + 1];
      uint32_t runs = 0;
      uint32_t begin = 0;
      for (; count - begin >= run; begin += run) totals[runs++] = reduce_run<run>(values + begin, op);
      if (begin < count) totals[runs++] = reduce_any<run>(values + begin, count - begin, op);
      detail::reduce_tree(totals, runs, op);
      fill(values, count, totals[0]);
    } else {
      fill(values, count, reduce_any<1024>(values, count, op));
    }
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
  static constexpr uint32_t run = 128;  // 128 floats fill 8 of 32 vector registers

  // True if one instruction combines a vector register's values.
  template <class T, class Op>
  static constexpr bool is_vector_op =
      detail::is_stateless_v<Op, T> && (detail::is_integral_v<T> || detail::is_floating_v<T>);

  // Returns the reduction of Count adjacent values, a power of two. Each step is a loop over full registers. Its
  // constant trip count lets the compiler keep partial results in registers; unrolling at a later stage would not.
  template <uint32_t Count, class T, class Op>
  COHORT_FN static T reduce_run(const T* values, Op& op) {
    if constexpr (Count == 1) {
      return values[0];
    } else {
      constexpr uint32_t half = Count / 2;
      [[maybe_unused]] constexpr uint32_t lanes = half < 64 / sizeof(T) ? half : 64 / sizeof(T);
      T sums[half];
#if defined(__clang__)
#pragma clang loop unroll(disable) vectorize_width(lanes) interleave_count(half / lanes)
#endif
      for (uint32_t i = 0; i < half; ++i) sums[i] = op(values[2 * i], values[2 * i + 1]);
      return reduce_run<half>(sums, op);
    }
  }

  // Returns the reduction of `count` adjacent values, at most Most.
  template <uint32_t Most, class T, class Op>
  COHORT_FN static T reduce_any(const T* values, uint32_t count, Op& op) {
    detail::slot<T> pairs[Most / 2];
    detail::reduce_pairs(pairs, values, count, op);
    for (count = (count + 1) / 2; count > 1; count = (count + 1) / 2) {
      detail::reduce_pairs(pairs, &pairs[0].value, count, op);
    }
    return pairs[0].value;
  }

  template <class T>
  COHORT_FN static void fill(T* values, uint32_t count, const T& result) {
    detail::for_each_value<T>(count, [&](uint32_t i) { detail::copy_value(values[i], result); });
  }
};

}  // namespace cpu
}  // namespace cohort
