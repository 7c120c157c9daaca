// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/counted_block.hpp"

#include <algorithm>

#include "count/gather/sites.hpp"

namespace cohort::count {

namespace {

bool is_atomic(const cohort_count_site& site) {
  const auto kind = static_cast<access_kind>(site.kind);
  return kind == access_kind::atomic || kind == access_kind::reduction || kind == access_kind::increment;
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
    const bool is_serial = is_atomic(site) && static_cast<access_kind>(site.kind) != access_kind::increment;
    const shared_cost shared = cost_of_shared(access, is_serial);
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

void counted_block::begin(tools::block_view block, kernel_totals& totals, memory_spaces& spaces, known_costs& costs) {
  block_ = block;
  totals_ = &totals;
  spaces_ = &spaces;
  costs_ = &costs;
  warp_count_ = block.warps();
  if (warps_.size() < warp_count_) warps_.resize(warp_count_);
  for (uint32_t i = 0; i < warp_count_; ++i) {
    const uint32_t threads = block.threads() - i * lanes_per_warp;
    warps_[i].begin(threads >= lanes_per_warp ? ~0u : (1u << threads) - 1);
  }
  ++totals.blocks;
}

void counted_block::join(cohort_count_site& site, const void* address, uint64_t key, uint32_t thread) {
  open_accesses& open = warps_[thread / lanes_per_warp];
  open_access& joined = open.join(site, key, thread % lanes_per_warp, reinterpret_cast<uint64_t>(address));
  if (open.is_complete(joined)) {
    count(open, joined);
    open.close(joined);
  }
  if (open.size() > most_open) close_early(open);
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
  const auto any_lane = static_cast<uint32_t>(__builtin_ctz(access.lanes));
  const uint64_t address = access.list != 0 ? open.addresses_of(access)[any_lane] : access.address_of(any_lane);
  const space where = site.bytes == 0 ? space::none : spaces_->of(block_, address);
  if (where == space::unknown) return;
  site_totals& totals = totals_->at(number_of(site), where);
  access.list != 0 ? add_list(totals, site, where, open.addresses_of(access), access.lanes)
                   : add_equal_distances(totals, site, where, access);
}

void counted_block::add_equal_distances(site_totals& totals, const cohort_count_site& site, space where,
                                        const open_access& access) {
  auto& last = totals.last;
  const uint64_t first = access.first % bytes_per_line;
  if (last.lanes != access.lanes || last.first != first || last.stride != access.stride) {
    const auto addresses = [&] {
      std::array<uint64_t, lanes_per_warp> result;
      for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) result[lane] = access.address_of(lane);
      return result;
    };
    const equal_distances distances = {first,      access.stride, access.lanes,
                                       site.bytes, where,         static_cast<access_kind>(site.kind)};
    const access_sums& cost =
        costs_->of(distances, [&] { return cost_of({addresses(), access.lanes, site.bytes}, site, where); });
    last = {first, access.stride, access.lanes, cost};
    if (cost.excess() > totals.worst.excess) {
      totals.worst = example_of({addresses(), access.lanes, site.bytes}, cost.excess());
    }
  }
  totals.sums.add(last.cost);
}

void counted_block::add_list(site_totals& totals, const cohort_count_site& site, space where,
                             const std::array<uint64_t, lanes_per_warp>& addresses, uint32_t lanes) {
  auto& last = totals.last_list;
  const uint64_t first = addresses[0] % bytes_per_line;
  uint64_t differences = 0;
  for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
    differences |= last.distances[lane] ^ (addresses[lane] - addresses[0]);
  }
  if (differences != 0 || last.lanes != lanes || last.first != first) {
    last.first = first;
    last.lanes = lanes;
    for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) last.distances[lane] = addresses[lane] - addresses[0];
    last.cost = cost_of({addresses, lanes, site.bytes}, site, where);
    if (last.cost.excess() > totals.worst.excess) {
      totals.worst = example_of({addresses, lanes, site.bytes}, last.cost.excess());
    }
  }
  totals.sums.add(last.cost);
}

}  // namespace cohort::count
