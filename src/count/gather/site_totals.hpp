// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of one site in one kernel and one kind of memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "count/model/warp_access.hpp"

namespace cohort::count {

// The memory that an access reaches. `none`: no memory, as at a collective. `unknown`: memory of the engine, of
// variables in the constant bank, or of the thread; it is not counted.
enum class space : uint8_t { none, global, shared, cluster, unknown };
inline constexpr uint32_t counted_spaces = 4;

// Sums over the accesses of warps.
struct access_sums {
  uint64_t requests = 0;  // accesses of warps
  uint64_t lanes = 0;     // active lanes
  uint64_t bytes = 0;
  uint64_t sectors = 0, ideal_sectors = 0, tags = 0;  // global memory
  uint64_t wavefronts = 0, ideal_wavefronts = 0;      // shared memory
  uint64_t distinct = 0;                              // addresses of atomics

  void add(const access_sums& more);
  uint64_t excess() const { return sectors - ideal_sectors + wavefronts - ideal_wavefronts; }
};

// One access of a warp, as an example: the distance of each lane's address from a multiple of 128 at or below the
// lowest one.
struct access_example {
  uint64_t excess = 0;
  uint32_t lanes = 0;
  std::array<int64_t, lanes_per_warp> offsets = {};
};

struct site_totals {
  access_sums sums;
  access_example worst;  // its `lanes` is 0 as long as no access has more than the ideal cost

  // The latest access whose addresses have equal distances, and its cost: most later accesses repeat it.
  struct {
    uint64_t first = 0;  // address of lane 0, modulo the bytes of a line
    int64_t stride = 0;
    uint32_t lanes = 0;
    access_sums cost;
  } last;
  // The latest access whose addresses have other distances (from the address of lane 0), and its cost.
  struct {
    uint64_t first = 0;
    uint32_t lanes = 0;
    std::array<uint64_t, lanes_per_warp> distances = {};
    access_sums cost;
  } last_list;

  void add(const site_totals& more);
};

// The totals of one kernel: a table whose rows belong to a site and a kind of memory.
class kernel_totals {
 public:
  site_totals& at(uint32_t site, space where) {
    const size_t index = size_t{site} * counted_spaces + static_cast<size_t>(where);
    if (index >= rows_.size()) rows_.resize((size_t{site} + 1) * counted_spaces);
    return rows_[index];
  }
  const std::vector<site_totals>& rows() const { return rows_; }
  void add(const kernel_totals& more);

  uint64_t blocks = 0;  // counted blocks
  uint64_t split = 0;   // accesses that were counted in parts, because too many were open

 private:
  std::vector<site_totals> rows_;
};

}  // namespace cohort::count
