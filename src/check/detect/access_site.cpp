// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/access_site.hpp"

#include <algorithm>
#include <vector>

#include "check/detect/bounds.hpp"
#include "check/detect/operation_access.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

namespace {

// Sites without a place, which no access matches.
access_site no_sites[sites_of_thread];

// Gives the OS thread sites of its own until it ends. False: the thread ends, and its thread-local objects have been
// destroyed, but a destructor runs a kernel.
bool take_sites() {
  static thread_local bool has_ended = false;
  struct owner {
    std::vector<access_site> made{sites_of_thread};
    ~owner() {
      sites = no_sites;
      has_ended = true;
    }
  };
  if (has_ended) return false;
  static thread_local owner mine;
  sites = mine.made.data();
  return true;
}

// Finds the allocation or variable around the address, and stores its range in the site. False: the site cannot cover
// accesses to this memory.
bool find_memory(access_site& site, const block_clock& b, uintptr_t at, size_t bytes, uint8_t flags) {
  address_range range;
  site.is_allocation = false;
  if (checks_memory) {
    const address_range& near = b.variables[at / 256 % block_clock::known_variables];
    if (near.contains(at, bytes) && !(near.is_constant && (flags & is_write))) range = near;
  } else {
    for (const address_range& shared : b.own_shared) {
      if (shared.contains(at, bytes)) range = shared;
    }
  }
  if (!range.contains(at, bytes)) {
    range = find_allocation_around(at, bytes);
    site.is_allocation = true;
  }
  if (!range.contains(at, bytes)) return false;
  clip_to_slots(at, &range.first, &range.end);
  const uintptr_t unit = std::max<uintptr_t>(bytes, 4);
  site.low = (range.first + unit - 1) & ~(unit - 1);
  if (at < site.low || at + bytes > range.end) return false;
  site.slots = &slot_of(site.low);
  site.count = static_cast<uint32_t>((range.end - site.low) / bytes);
  return true;
}

// Reads the record with this id if threads of the warp of `c` made the access; returns false otherwise.
bool read_of_warp(access_id id, const accessor& c, record* found) {
  return record_ring::instance().read(number_of(id), found) && found->extent == threads_of_warp &&
         found->launch == c.block->launch->number && found->block == c.block->rank &&
         found->first_thread == c.warp() * lanes_per_warp;
}
bool is_of_warp(access_id id, const accessor& c) {
  record r;
  return read_of_warp(id, c, &r);
}
// Whether threads of this warp made the access `id` with these flags since the last synchronisation.
bool is_of_warp_now(access_id id, const accessor& c, uint8_t flags) {
  record r;
  return read_of_warp(id, c, &r) && r.tick == c.block->tick && r.flags == flags;
}

access_id without_lane(access_id id) { return make_id(number_of(id), 0); }

// Stores how the access merged: `others` are earlier accesses that no barrier orders before it, `all` is the id that
// stands for them and the access.
void learn_merged(access_site& site, const unknown_access& a, access_id others, access_id all) {
  if (!is_of_warp_now(all, a.by, a.flags)) {
    site.others = others >> node_bits;
    site.group = all;
  } else if (is_of_warp_now(others, a.by, a.flags)) {
    site.own_reads = without_lane(others);
  }
}

}  // namespace

__thread access_site* sites __attribute__((tls_model("initial-exec"))) = no_sites;

access_site* prepare_site(const unknown_access& a, uint32_t index) {
  block_clock& b = *a.by.block;
  if (b.may_have_flags()) return nullptr;
  if (sites == no_sites && !take_sites()) return nullptr;
  access_site& site = site_at(a.code, index);
  const uint64_t key = site_key(a.place, a.flags);
  const uint32_t changes = memory_changes.load(std::memory_order_acquire);
  const bool has_range =
      site.place == key && site.changes == changes && a.at >= site.low && (a.at - site.low) / a.bytes < site.count;
  const bool is_of_block = site.moment >> 32 == b.life;
  if (!(has_range && (site.is_allocation || is_of_block)) && !find_memory(site, b, a.at, a.bytes, a.flags)) {
    site.place = 0;
    return nullptr;
  }
  if (site.place != key || site.moment != b.moment() || site.warp != a.by.warp()) {
    site.own = site.own_write = site.own_reads = 0;
    site.others = access_site::no_others;
    site.group = access_site::no_group;
  }
  site.place = key;
  site.moment = b.moment();
  site.changes = changes;
  site.warp = static_cast<uint16_t>(a.by.warp());
  const bool overlaps = operations_overlap.load(std::memory_order_relaxed);
  site.ordered_below = b.records_ordered_at(a.at);
  site.is_alone = (!b.launch->many_workers && !overlaps) || b.is_own_shared(a.at);
  if (site.own == 0) {
    const uint64_t seen = slot_of(a.at).load(std::memory_order_relaxed);
    const access_id reads = reads_of(seen);
    const bool is_past = block_clock::is_below(number_of(reads), site.ordered_below);
    const bool is_first = reads == 0 || (!has_more(reads) && (is_past || b.is_known_before(number_of(reads))));
    const uint32_t first = a.by.warp() * lanes_per_warp;
    const uint32_t number = (a.flags & is_write) || is_first ? b.record_number(a.place, first, threads_of_warp, a.flags)
                                                             : b.find_record(a.place, first, threads_of_warp, a.flags);
    site.own = number << first_number_bit;
  }
  return &site;
}

void learn_site(access_site& site, const unknown_access& a, uint64_t seen, uint64_t next) {
  block_clock& b = *a.by.block;
  if (site.moment != b.moment()) return;
  site.own = b.find_record(a.place, a.by.warp() * lanes_per_warp, threads_of_warp, a.flags) << first_number_bit;
  const auto is_unordered = [&](access_id id) {
    return id && !has_more(id) && !block_clock::is_below(number_of(id), site.ordered_below) &&
           !b.is_known_before(number_of(id));
  };
  const access_id write = write_of(seen), reads = reads_of(seen);
  if (a.flags & is_strong) {
    const auto updates = [](uint64_t value) {
      return has_more(reads_of(value)) ? reads_of(value) & ~more_mark : write_of(value);
    };
    if (is_unordered(updates(seen))) learn_merged(site, a, updates(seen), updates(next));
    return;
  }
  if (is_unordered(write) && is_of_warp(write, a.by)) site.own_write = without_lane(write);
  if (!is_unordered(reads)) return;
  if (!(a.flags & is_write)) {
    learn_merged(site, a, reads, reads_of(next));
  } else if (is_of_warp(reads, a.by)) {
    site.own_reads = without_lane(reads);
  }
}

}  // namespace cohort::check
