// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of a resident block: the open accesses of its warps, and the sums of its kernel.
#pragma once

#include <vector>

#include "count/gather/memory_spaces.hpp"
#include "count/gather/open_access.hpp"
#include "count/gather/site_totals.hpp"
#include "count/gather/tool_ports.hpp"

namespace cohort::count {

class counted_block {
 public:
  void begin(tools::block_view block, kernel_totals& totals, memory_spaces& spaces);

  void access(cohort_count_site& site, const void* address, uint64_t key, uint32_t thread) {
    const uint32_t warp = thread / lanes_per_warp;
    open_accesses& open = warps_[warp];
    open_access& joined = open.join(site, key, thread % lanes_per_warp, reinterpret_cast<uint64_t>(address));
    if (__builtin_expect(open.is_complete(joined), 0)) finish(open, joined);
    if (__builtin_expect(open.size() > most_open, 0)) close_early(open);
  }

  // Counts all accesses of the block that are open. No lane joins them any more.
  void drain();

 private:
  // Beyond this number the open accesses of a warp are counted as they are: 128 MiB.
  static constexpr size_t most_open = size_t{2} << 20;

  void finish(open_accesses& open, open_access& access);
  void close_early(open_accesses& open);
  void count(const open_accesses& open, const open_access& access);
  static void add_equal_distances(site_totals& totals, const cohort_count_site& site, space where,
                                  const open_access& access);
  static void add_list(site_totals& totals, const cohort_count_site& site, space where,
                       const std::array<uint64_t, lanes_per_warp>& addresses, uint32_t lanes);
  static access_sums cost_of_new(site_totals& totals, const cohort_count_site& site, space where,
                                 const warp_access& access);

  tools::block_view block_;
  kernel_totals* totals_ = nullptr;
  memory_spaces* spaces_ = nullptr;
  std::vector<open_accesses> warps_;
  uint32_t warp_count_ = 0;
};

}  // namespace cohort::count
