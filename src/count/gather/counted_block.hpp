// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of a resident block: the open accesses of its warps, and the sums of its kernel.
#pragma once

#include <vector>

#include "count/gather/known_costs.hpp"
#include "count/gather/memory_spaces.hpp"
#include "count/gather/open_access.hpp"
#include "count/gather/site_totals.hpp"
#include "count/gather/tool_ports.hpp"

namespace cohort::count {

class counted_block {
 public:
  void begin(tools::block_view block, kernel_totals& totals, memory_spaces& spaces, known_costs& costs);

  // Adds an access of a thread if open_accesses::join_predicted() can. Otherwise returns false, and the caller calls
  // join().
  bool join_predicted(const cohort_count_site& site, const void* address, uint64_t key, uint32_t thread) {
    return warps_[thread / lanes_per_warp].join_predicted(site, key, thread % lanes_per_warp,
                                                          reinterpret_cast<uint64_t>(address));
  }
  void join(cohort_count_site& site, const void* address, uint64_t key, uint32_t thread);

  // Counts all open accesses of the block. No lane joins them any more.
  void drain();

 private:
  // When a warp has more open accesses than this (128 MiB), they are counted with the lanes that they have.
  static constexpr size_t most_open = size_t{2} << 20;

  void close_early(open_accesses& open);
  void count(const open_accesses& open, const open_access& access);
  void add_equal_distances(site_totals& totals, const cohort_count_site& site, space where, const open_access& access);
  static void add_list(site_totals& totals, const cohort_count_site& site, space where,
                       const std::array<uint64_t, lanes_per_warp>& addresses, uint32_t lanes);

  tools::block_view block_;
  kernel_totals* totals_ = nullptr;
  memory_spaces* spaces_ = nullptr;
  known_costs* costs_ = nullptr;
  std::vector<open_accesses> warps_;
  uint32_t warp_count_ = 0;
};

}  // namespace cohort::count
