// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/model/warp_access.hpp"

#include <algorithm>
#include <cstddef>

namespace cohort::count {

namespace {

// Distinct values of up to 32 lanes with up to five words each: a table of slots, which is faster than to sort them.
class value_set {
 public:
  void add(uint64_t value) {
    if (count_ != 0 && values_[count_ - 1] == value) return;
    size_t at = value * spread >> (64 - slot_bits);
    for (; slots_[at] != 0; at = (at + 1) % slots_.size()) {
      if (values_[slots_[at] - 1u] == value) return;
    }
    values_[count_++] = value;
    slots_[at] = static_cast<uint8_t>(count_);
  }
  uint32_t size() const { return count_; }
  const uint64_t* begin() const { return values_.data(); }
  const uint64_t* end() const { return values_.data() + count_; }

 private:
  static constexpr size_t most_values = lanes_per_warp * 5;
  static constexpr int slot_bits = 8;
  static constexpr uint64_t spread = 0x9e3779b97f4a7c15;

  std::array<uint64_t, most_values> values_;
  std::array<uint8_t, size_t{1} << slot_bits> slots_ = {};
  uint32_t count_ = 0;
};

template <class Use>
void for_each_lane(uint32_t lanes, const Use& use) {
  for (; lanes; lanes &= lanes - 1) use(static_cast<uint32_t>(__builtin_ctz(lanes)));
}

uint32_t distinct_units(const warp_access& access, uint32_t bytes_per_unit) {
  value_set units;
  for_each_lane(access.lanes, [&](uint32_t lane) {
    const uint64_t first = access.addresses[lane] / bytes_per_unit;
    const uint64_t last = (access.addresses[lane] + access.bytes - 1) / bytes_per_unit;
    units.add(first);
    if (last != first) units.add(last);
  });
  return units.size();
}

uint32_t rounded_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

// Counts, for each bank, the distinct words that the lanes need from it; returns the largest count.
uint32_t words_of_fullest_bank(const warp_access& access) {
  value_set words;
  for_each_lane(access.lanes, [&](uint32_t lane) {
    const uint64_t first = access.addresses[lane] / bytes_per_bank;
    const uint64_t last = (access.addresses[lane] + access.bytes - 1) / bytes_per_bank;
    for (uint64_t word = first; word <= last; ++word) words.add(word);
  });
  std::array<uint32_t, banks> counts = {};
  for (const uint64_t word : words) ++counts[word % banks];
  return *std::max_element(counts.begin(), counts.end());
}

// Counts, for each bank, the lanes whose first word is in it; returns the largest count.
uint32_t lanes_of_fullest_bank(const warp_access& access) {
  std::array<uint32_t, banks> counts = {};
  for_each_lane(access.lanes, [&](uint32_t lane) { ++counts[access.addresses[lane] / bytes_per_bank % banks]; });
  return *std::max_element(counts.begin(), counts.end());
}

}  // namespace

global_cost cost_of_global(const warp_access& access) {
  const uint32_t sectors = distinct_units(access, bytes_per_sector);
  const auto active = static_cast<uint32_t>(__builtin_popcount(access.lanes));
  return {sectors, std::min(sectors, rounded_up(active * access.bytes, bytes_per_sector)),
          distinct_units(access, bytes_per_line)};
}

shared_cost cost_of_shared(const warp_access& access, bool is_serial) {
  const uint32_t parts = access.bytes <= bytes_per_bank ? 1 : access.bytes / bytes_per_bank;
  const uint32_t lanes_per_part = lanes_per_warp / parts;
  shared_cost cost = {0, 0};
  for (uint32_t part = 0; part < parts; ++part) {
    const uint32_t lanes = static_cast<uint32_t>((uint64_t{1} << lanes_per_part) - 1) << (part * lanes_per_part);
    if ((access.lanes & lanes) == 0) continue;
    const warp_access own = {access.addresses, access.lanes & lanes, access.bytes};
    cost.wavefronts +=
        is_serial && distinct_addresses(own) > 1 ? lanes_of_fullest_bank(own) : words_of_fullest_bank(own);
    ++cost.ideal;
  }
  return cost;
}

uint32_t distinct_addresses(const warp_access& access) {
  value_set addresses;
  for_each_lane(access.lanes, [&](uint32_t lane) { addresses.add(access.addresses[lane]); });
  return addresses.size();
}

}  // namespace cohort::count
