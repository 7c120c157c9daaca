// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding of sizes and addresses to multiples, on the host.
#pragma once

namespace cohort {
namespace detail {

/// The first multiple of `multiple` that is not below `value`. Both are unsigned; the sum of both must not overflow.
template <class Unsigned>
constexpr Unsigned round_up(Unsigned value, Unsigned multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace detail
}  // namespace cohort
