// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/open_access.hpp"

namespace cohort::count {

namespace {

constexpr size_t first_slots = 64;

uint64_t hash_of(const cohort_count_site& site, uint64_t key) {
  const uint64_t mixed = (reinterpret_cast<uint64_t>(&site) ^ key * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
  return mixed ^ mixed >> 32;
}

}  // namespace

void open_accesses::begin(uint32_t all) {
  all_ = all;
  open_ = 0;
  clear();
}

void open_accesses::clear() {
  accesses_.assign(2, open_access());
  accesses_[0].is_closed = 1;
  latest_ = {};
  used_lists_ = 0;
  if (++round_ == 0) {  // after an overflow, old slots would count as new ones
    table_.assign(table_.size(), slot());
    round_ = 1;
  }
}

open_access& open_accesses::join(cohort_count_site& site, uint64_t key, uint32_t lane, uint64_t address) {
  uint32_t number = accesses_[latest_[lane]].next;
  if (!is_match(accesses_[number], site, key, lane)) number = find(site, key, lane);
  open_access& access = accesses_[number];
  latest_[lane] = number;
  const uint32_t before = access.lanes;
  access.lanes |= 1u << lane;
  if (access.list != 0) {
    lists_[access.list][lane] = address;
  } else if ((before & (before - 1)) == 0 || access.address_of(lane) != address) {
    add_slowly(access, before, lane, address);
  }
  return access;
}

// Finds the access through the table, or opens one. A lane that comes a second time with the same key, as in a cycle
// that the compiler does not recognise as a loop, opens another access.
uint32_t open_accesses::find(cohort_count_site& site, uint64_t key, uint32_t lane) {
  if (accesses_.size() * 2 > table_.size()) grow();
  const size_t last = table_.size() - 1;
  size_t at = hash_of(site, key) & last;
  for (; table_[at].round == round_; at = (at + 1) & last) {
    const open_access& known = accesses_[table_[at].number];
    if (known.site == &site && known.key == key) break;
  }
  uint32_t number = table_[at].number;
  if (table_[at].round != round_ || !is_match(accesses_[number], site, key, lane)) {
    number = static_cast<uint32_t>(end());
    accesses_.back() = {&site, key, 0, 0, 0, 0, 0, 0};
    accesses_.emplace_back();
    table_[at] = {round_, number};
    ++open_;
  }
  accesses_[latest_[lane]].next = number;
  return number;
}

void open_accesses::grow() {
  table_.assign(table_.empty() ? first_slots : table_.size() * 2, slot());
  const size_t last = table_.size() - 1;
  for (size_t i = 1; i < end(); ++i) {
    const open_access& access = accesses_[i];
    size_t at = hash_of(*access.site, access.key) & last;
    // The table has the last access with this key, as find() does.
    for (; table_[at].round == round_; at = (at + 1) & last) {
      const open_access& known = accesses_[table_[at].number];
      if (known.site == access.site && known.key == access.key) break;
    }
    table_[at] = {round_, static_cast<uint32_t>(i)};
  }
}

// The first two lanes determine the distance between addresses. An address that does not fit it turns the access into
// one with a list of addresses.
void open_accesses::add_slowly(open_access& access, uint32_t before, uint32_t lane, uint64_t address) {
  if (before == 0) {
    access.first = address;
    return;
  }
  if ((before & (before - 1)) == 0) {
    const auto lanes = static_cast<int64_t>(lane) - __builtin_ctz(before);
    const auto bytes = static_cast<int64_t>(address - access.first);
    if (lanes == 1 || bytes % lanes == 0) {  // the first test avoids a division, which takes as long as the rest
      access.stride = lanes == 1 ? bytes : bytes / lanes;
      access.first = address - static_cast<uint64_t>(access.stride) * lane;
      return;
    }
  }
  if (lists_.size() <= used_lists_ + size_t{1}) lists_.resize(lists_.empty() ? 64 : lists_.size() * 2);
  access.list = ++used_lists_;
  std::array<uint64_t, lanes_per_warp>& list = lists_[access.list];
  // If only one lane has joined, its address is `first` and the distance is 0. Lanes that do not join get the address
  // of the first lane, so that equal accesses have equal lists.
  list.fill(access.address_of(static_cast<uint32_t>(__builtin_ctz(before))));
  for (uint32_t left = before; left; left &= left - 1) {
    const auto known = static_cast<uint32_t>(__builtin_ctz(left));
    list[known] = access.address_of(known);
  }
  list[lane] = address;
}

}  // namespace cohort::count
