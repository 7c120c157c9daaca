// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The written order of reductions and scans (machine/contract/reference.hpp) over values in memory.
//
// `values` is a pointer to the value of rank 0, or a class with operator[] and operator+ that acts like one. The lower
// rank is always the left operand. Every form of a tree gives the same bits. The forms differ in storage and in what
// the compiler unrolls.
#pragma once

#include <stdint.h>

#include "config.hpp"
#include "types.hpp"

namespace cohort {
namespace detail {

// Calls body(i) for i = 0 .. count - 1, with vector instructions only for values of up to 8 bytes. A larger value fills
// a vector register by itself, and gathering its parts costs more than combining values one by one.
template <class T, class Body>
COHORT_ANY_SIDE void for_each_value(uint32_t count, Body body) {
  if constexpr (sizeof(T) > 8) {
#if defined(__clang__)
#pragma clang loop vectorize(disable)
#endif
    for (uint32_t i = 0; i < count; ++i) body(i);
  } else {
    for (uint32_t i = 0; i < count; ++i) body(i);
  }
}

// Reduces the values of ranks 0 .. count - 1 in place: rank 0 becomes the result. Values never move, so they may lie
// behind pointers; the other ranks hold partial results afterwards.
template <class Values, class Op>
COHORT_FN void reduce_tree(Values values, uint32_t count, Op& op) {
  using value = remove_cvref_t<decltype(values[0])>;
  for (uint32_t step = 1; step < count; step *= 2) {
    for (uint32_t rank = 0; rank + step < count; rank += 2 * step) {
      const value sum = op(values[rank], values[rank + step]);
      copy_value(values[rank], sum);
    }
  }
}

// Returns the reduction of Count adjacent values, a power of two, and leaves them unchanged. Recursion makes all steps
// constant, and the compiler keeps the partial results in registers.
template <uint32_t Count, class T, class Op>
COHORT_FN T reduce_tree(const T* values, Op& op) {
  if constexpr (Count == 1) {
    return values[0];
  } else {
    T lower = reduce_tree<Count / 2, T, Op>(values, op);
    T higher = reduce_tree<Count / 2, T, Op>(values + Count / 2, op);
    return op(lower, higher);
  }
}

// One step of the reduction of adjacent values: slot i of `to` becomes the combination of values 2 * i and 2 * i + 1;
// an odd last value moves down unchanged. Adjacent operands let the step use vector instructions. `to` may be `from`.
template <class T, class Op>
COHORT_FN void reduce_pairs(slot<T>* to, const T* from, uint32_t count, Op& op) {
  for_each_value<T>(count / 2, [&](uint32_t i) {
    T lower = from[2 * i];
    T higher = from[2 * i + 1];
    const T sum = op(lower, higher);
    copy_value(to[i].value, sum);
  });
  if (count % 2 != 0) copy_value(to[count / 2].value, from[count - 1]);
}

// Replaces each of `count` values by op(carry, value).
template <class Values, class T, class Op>
COHORT_FN void prepend(const T& carry, Values values, uint32_t count, Op& op) {
  T left = carry;  // a copy in registers: the stores below cannot change it
  for_each_value<T>(count, [&](uint32_t i) {
    const T sum = op(left, values[i]);
    copy_value(values[i], sum);
  });
}

// Replaces the values of ranks 0 .. count - 1 by their inclusive scan.
template <class Values, class Op>
COHORT_FN void scan_tree(Values values, uint32_t count, Op& op) {
  using value = remove_cvref_t<decltype(values[0])>;
  for (uint32_t step = 1; step < count; step *= 2) {
    for (uint32_t begin = step; begin < count; begin += 2 * step) {
      value left = values[begin - 1];
      const uint32_t end = count - begin < step ? count : begin + step;
      for (uint32_t rank = begin; rank < end; ++rank) {
        const value sum = op(left, values[rank]);
        copy_value(values[rank], sum);
      }
    }
  }
}

// Replaces Count adjacent values, a power of two, by their inclusive scan. All trip counts are constants.
template <uint32_t Count, uint32_t Step = 1, class T, class Op>
COHORT_FN void scan_tree(T* values, Op& op) {
  if constexpr (Step < Count) {
    for_each_value<T>(Count / (2 * Step), [&](uint32_t i) {
      const uint32_t begin = Step + 2 * Step * i;
      prepend(values[begin - 1], values + begin, Step, op);
    });
    scan_tree<Count, 2 * Step>(values, op);
  }
}

// Returns the reduction of `count` values, of 1 to Most. value_of(i) is called for each i below Most: a compiler keeps
// all values in registers and loads them together, so it must be valid beyond `count` as well.
template <uint32_t Most, class T, class ValueOf, class Op>
COHORT_FN T reduce_few(uint32_t count, const ValueOf& value_of, Op& op) {
  slot<T> values[Most];
#if COHORT_ON_GPU
#pragma unroll
#endif
  for (uint32_t i = 0; i < Most; ++i) copy_value(values[i].value, value_of(i));
#if COHORT_ON_GPU
#pragma unroll
#endif
  for (uint32_t step = 1; step < Most; step *= 2) {
#if COHORT_ON_GPU
#pragma unroll
#endif
    for (uint32_t i = 0; i + step < Most; i += 2 * step) {
      if (i + step >= count) continue;
      const T both = op(values[i].value, values[i + step].value);
      copy_value(values[i].value, both);
    }
  }
  return values[0].value;
}

// The reduction of values that arrive one after another, in the order of their ranks. Level k holds the combination of
// 2^k values while bit k of their number is set. The operator has a member identity(), its identity element.
template <class T, class Op>
class running_tree {
 public:
  COHORT_FN explicit running_tree(const Op& op) : op_(op) {}

  // Adds the value of the next rank.
  COHORT_DEVICE void push(T next) {
    uint32_t level = 0;
    for (; ((count_ >> level) & 1u) != 0; ++level) next = op_(levels_[level].value, next);
    copy_value(levels_[level].value, next);
    ++count_;
  }
  // Returns the reduction of all values since the construction or the last clear().
  COHORT_DEVICE T result() {
    T all = op_.identity();
    for (uint32_t level = 0; (count_ >> level) != 0; ++level) {
      if (((count_ >> level) & 1u) != 0) all = op_(levels_[level].value, all);
    }
    return all;
  }
  // Returns the reduction of at least one value. It needs no identity element.
  COHORT_DEVICE T result_of_some() {
    uint32_t level = 0;
    while (((count_ >> level) & 1u) == 0) ++level;
    T all = levels_[level].value;
    for (++level; (count_ >> level) != 0; ++level) {
      if (((count_ >> level) & 1u) != 0) {
        const T both = op_(levels_[level].value, all);
        copy_value(all, both);
      }
    }
    return all;
  }
  COHORT_FN void clear() { count_ = 0; }

 private:
  Op op_;
  uint32_t count_ = 0;
  slot<T> levels_[32];  // uninitialised: the stores of 32 initial values take longer than the reduction of few values
};

}  // namespace detail
}  // namespace cohort
