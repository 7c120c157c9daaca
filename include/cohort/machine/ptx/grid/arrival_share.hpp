// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addend of an arrival at a counter that needs no reset.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"

namespace cohort {
namespace ptx {

/// Addend of one of `count` participants. All addends of a phase sum to `phase`, so the bits below `phase` are zero
/// again when the last participant has arrived.
template <class Count>
COHORT_FN uint32_t arrival_share(bool is_first, uint32_t phase, Count count) {
  return is_first ? phase - (count() - 1u) : 1u;
}

}  // namespace ptx
}  // namespace cohort
