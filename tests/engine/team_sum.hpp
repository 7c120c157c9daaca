// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collective of a team for tests: what each member passes, and what all of them get.
#pragma once

#include <cstdint>

namespace raw {

struct item {
  uint64_t value;
  uint32_t members = 0;
};

// Sum of what the members passed, and how many took part, to all of them.
inline void resolve_sum(uint32_t count, void* const* operands) {
  item sum{0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    if (!operands[i]) continue;
    sum.value += static_cast<item*>(operands[i])->value;
    ++sum.members;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (operands[i]) *static_cast<item*>(operands[i]) = sum;
  }
}

}  // namespace raw
