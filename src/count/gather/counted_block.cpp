// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/counted_block.hpp"

#include <algorithm>

#include "count/gather/sites.hpp"

namespace cohort::count {

namespace {

bool is_atomic(const cohort_count_site& site) {
  const auto kind = static_cast<access_kind>(site.kind);
  return kind == access_kind::atomic || kind == access_kind::reduction;
}

access_sums cost_of(const warp_access& access, const cohort_count_site& site, space where) {
  access_sums cost;
  cost.requests = 1;
  cost.lanes = static_cast<uint64_t>(__builtin_popcount(access.lanes));
  cost.bytes = cost.lanes * access.bytes;
  if (where == space::global) {
    const global_cost global = cost_of_global(access);
    cost.sectors = global.sectors;
    cost.ideal_sectors = global.ideal;
    cost.tags = global.tags;
  } else if (where == space::shared) {
    const shared_cost shared = cost_of_shared(access);
    cost.wavefronts = shared.wavefronts;
    cost.ideal_wavefronts = shared.ideal;
  }
  if (is_atomic(site)) cost.distinct = distinct_addresses(access);
  return cost;
}

access_example example_of(const warp_access& access, uint64_t excess) {
  access_example example;
  example.excess = excess;
  example.lanes = access.lanes;
  uint64_t lowest = ~uint64_t{0};
  for (uint32_t left = access.lanes; left; left &= left - 1) {
    lowest = std::min(lowest, access.addresses[static_cast<uint32_t>(__builtin_ctz(left))]);
  }
  lowest -= lowest % bytes_per_line;
  for (uint32_t left = access.lanes; left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(left));
    example.offsets[lane] = static_cast<int64_t>(access.addresses[lane] - lowest);
  }
  return example;
}

}  // namespace

void counted_block::begin(tools::block_view block, kernel_totals& totals, memory_spaces& spaces) {
  block_ = block;
  totals_ = &totals;
  spaces_ = &spaces;
  warp_count_ = block.warps();
  if (warps_.size() < warp_count_) warps_.resize(warp_count_);
  for (uint32_t i = 0; i < warp_count_; ++i) {
    const uint32_t threads = block.threads() - i * lanes_per_warp;
    warps_[i].begin(threads >= lanes_per_warp ? ~0u : (1u << threads) - 1);
  }
  ++totals.blocks;
}

void counted_block::finish(open_accesses& open, open_access& access) {
  count(open, access);
  open.close(access);
}

void counted_block::close_early(open_accesses& open) {
  open.drain([&](const open_access& access) {
    count(open, access);
    ++totals_->split;
  });
}

void counted_block::drain() {
  for (uint32_t i = 0; i < warp_count_; ++i) {
    warps_[i].drain([&](const open_access& access) { count(warps_[i], access); });
  }
}

void counted_block::count(const open_accesses& open, const open_access& access) {
  cohort_count_site& site = *access.site;
  const bool has_memory = site.bytes != 0;
  const auto any_lane = static_cast<uint32_t>(__builtin_ctz(access.lanes));
  std::array<uint64_t, lanes_per_warp> addresses;
  if (access.list != 0) open.copy_addresses(access, addresses);
  const uint64_t address = access.list != 0 ? addresses[any_lane] : access.address_of(any_lane);
  const space where = has_memory ? spaces_->of(block_, address) : space::none;
  if (where == space::unknown) return;
  site_totals& totals = totals_->at(number_of(site), where);
  auto& last = totals.last;
  const uint64_t first = access.first % bytes_per_line;
  if (access.list == 0 && last.lanes == access.lanes && last.first == first && last.stride == access.stride) {
    totals.sums.add(last.cost);
    return;
  }
  if (access.list == 0) open.copy_addresses(access, addresses);
  const warp_access of_warp = {addresses, access.lanes, site.bytes};
  const access_sums cost = cost_of(of_warp, site, where);
  totals.sums.add(cost);
  if (access.list == 0) last = {first, access.stride, access.lanes, cost};
  if (cost.excess() > totals.worst.excess) totals.worst = example_of(of_warp, cost.excess());
}

}  // namespace cohort::count
