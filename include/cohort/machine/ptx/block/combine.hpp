// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction of values in registers of one thread, in the written order.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/tree.hpp"
#include "../../../base/types.hpp"
#include "../select.hpp"

namespace cohort {
namespace ptx {

/// Combines all values in the written order. values[0] becomes the result.
template <uint32_t Count, class T, class Op>
COHORT_FN T combine_values(detail::slot<T> (&values)[Count], Op& op) {
  detail::reduce_tree(&values[0].value, Count, op);
  return values[0].value;
}

/// Combines the values of the first `warps` warps, `Values` of each, in the written order. All `Count` values stay in
/// registers: a tree with `warps` as its trip count would index them at run time.
template <uint32_t Values, uint32_t Count, class T, class Op>
COHORT_FN T combine_first_values(detail::slot<T> (&values)[Count], uint32_t warps, Op& op) {
#pragma unroll
  for (uint32_t step = 1; step < Count; step *= 2) {
#pragma unroll
    for (uint32_t i = 0; i < Count; i += 2 * step) {
      combine_if(i + step < warps * Values, values[i].value, values[i].value, values[i + step].value, op);
    }
  }
  return values[0].value;
}

}  // namespace ptx
}  // namespace cohort
