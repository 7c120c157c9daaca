// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products of warpgroups (wgmma) of a block that have been started and are not executed. Each warp executes its
// rows of a product when it waits for it.
#pragma once

#include <cohort/machine/cpu/port/warpgroup.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
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

/// The places of the accumulators of products, those of lane 0 first. Products in a loop share them.
struct accumulator_places {
  std::vector<uint32_t*> places;
  std::deque<const void*> products;  // source places of products not yet executed, oldest first; null: unknown

  uint32_t registers() const { return static_cast<uint32_t>(places.size()) / lanes_per_warp; }
};

/// A product as one warp has started it.
struct started_product {
  warpgroup_instruction instruction;
  uint32_t a[lanes_per_warp][4];
  uint32_t metadata[lanes_per_warp];
  accumulator_places* d;  // the places of the warp in warpgroup_table
  const void* place;      // source place; null: unknown
};

struct warpgroup_table {
  /// The products that some warps of a warpgroup have started and others have not.
  struct instructions {
    std::deque<warpgroup_instruction> open;
    uint64_t first = 0;  // number of the first open product
  };
  copy_groups<started_product> products[warps_per_block];
  std::vector<std::unique_ptr<accumulator_places>> accumulators[warps_per_block];  // the products' accumulators
  uint64_t started[warps_per_block] = {}, executed[warps_per_block] = {};          // numbers of products
  bool fenced[warps_per_block] = {};                                               // the warp has executed wgmma.fence
  instructions of_warpgroup[warps_per_block / warps_per_warpgroup];
};

/// Whether another warp of the warpgroup has executed product `number` of `warp`.
inline bool is_executed_by_another(const warpgroup_table& table, uint32_t warp, uint64_t number) {
  const uint64_t* const executed = table.executed + warp / warps_per_warpgroup * warps_per_warpgroup;
  bool is_executed = false;
  for (uint32_t i = 0; i < warps_per_warpgroup; ++i) {
    is_executed = is_executed || (i != warp % warps_per_warpgroup && executed[i] > number);
  }
  return is_executed;
}

/// Adds a product of a warp to the products that have these accumulators.
inline accumulator_places* add_product(warpgroup_table& table, uint32_t warp, std::vector<uint32_t*> places,
                                       const void* source_place) {
  auto& all = table.accumulators[warp];
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->places == places; });
  if (found == all.end()) {
    all.push_back(std::make_unique<accumulator_places>(accumulator_places{std::move(places), {}}));
    found = all.end() - 1;
  }
  (*found)->products.push_back(source_place);
  return found->get();
}

/// Removes the oldest product that has these accumulators.
inline void remove_product(warpgroup_table& table, uint32_t warp, accumulator_places* of) {
  of->products.pop_front();
  if (!of->products.empty()) return;
  auto& all = table.accumulators[warp];
  all.erase(std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.get() == of; }));
}

/// The source place of a product of the thread's warp that has an accumulator of the thread at `address`, and is not
/// executed; null if there is none or its place is unknown. Takes time for each set of accumulators, not for each
/// product.
inline const void* place_of_product(const warpgroup_table& table, uint32_t thread, const void* address) {
  for (const auto& each : table.accumulators[thread / lanes_per_warp]) {
    const auto first =
        each->places.begin() + static_cast<std::ptrdiff_t>(size_t{thread} % lanes_per_warp * each->registers());
    const auto end = first + static_cast<std::ptrdiff_t>(each->registers());
    if (std::find(first, end, address) != end) return each->products.front();
  }
  return nullptr;
}

}  // namespace cohort::engine
