// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kind of memory that an address is in, as a GPU distinguishes them.
#pragma once

#include <array>
#include <cstdint>

#include "count/gather/site_totals.hpp"
#include "count/gather/tool_ports.hpp"

namespace cohort::count {

// One for each worker: it keeps the ranges of global memory that were looked up last.
class memory_spaces {
 public:
  space of(const tools::block_view& block, uint64_t address) {
    const void* const at = reinterpret_cast<const void*>(address);
    if (block.holds_shared(at)) return space::shared;
    for (const range& known : known_) {
      if (address - known.first < known.bytes) return known.kind;
    }
    return look_up(block, at);
  }

 private:
  struct range {
    uint64_t first = 0, bytes = 0;
    space kind = space::unknown;
  };

  space look_up(const tools::block_view& block, const void* address);
  space keep(const void* first, uint64_t bytes, space kind);

  std::array<range, 4> known_;
  uint32_t next_ = 0;
};

}  // namespace cohort::count
