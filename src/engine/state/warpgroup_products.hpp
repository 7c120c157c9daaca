// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products of warpgroups (wgmma) of a block that have been started and are not executed. Each warp executes its
// rows of a product when it waits for it.
#pragma once

#include <cohort/machine/cpu/port/warpgroup.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/state/copy_groups.hpp"
#include "engine/state/warp.hpp"

namespace cohort::engine {

constexpr uint32_t warps_per_warpgroup = 4;

/// A product as all warps of a warpgroup pass it.
struct warpgroup_instruction {
  cohort_warpgroup_form form;
  uint64_t a_matrix, b_matrix;
  uint32_t adds;
};

/// A product as one warp has started it.
struct started_product {
  warpgroup_instruction instruction;
  uint32_t a[lanes_per_warp][4];
  uint32_t metadata[lanes_per_warp];
  std::vector<uint32_t*> d;  // places of the registers, those of lane 0 first
  const void* place;         // source place; null: unknown

  uint32_t registers() const { return static_cast<uint32_t>(d.size()) / lanes_per_warp; }
};

struct warpgroup_table {
  /// The products that some warps of a warpgroup have started and others have not.
  struct instructions {
    std::deque<warpgroup_instruction> open;
    uint64_t first = 0;  // number of the first one
  };
  copy_groups<started_product> products[warps_per_block];
  uint64_t started[warps_per_block] = {};  // number of products
  bool fenced[warps_per_block] = {};       // the warp has executed wgmma.fence
  instructions of_warpgroup[warps_per_block / warps_per_warpgroup];
};

/// The product of the thread's warp that has an accumulator of the thread at `address`, and is not executed; null if
/// there is none.
inline const started_product* find_product(const warpgroup_table& table, uint32_t thread, const void* address) {
  const started_product* found = nullptr;
  table.products[thread / lanes_per_warp].for_all([&](const started_product& each) {
    const auto first = each.d.begin() + static_cast<std::ptrdiff_t>(size_t{thread} % lanes_per_warp * each.registers());
    const auto end = first + static_cast<std::ptrdiff_t>(each.registers());
    if (!found && std::find(first, end, address) != end) found = &each;
  });
  return found;
}

}  // namespace cohort::engine
