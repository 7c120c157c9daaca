// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of one warp that some of its lanes have made and others may still join. The lanes run one after another;
// a GPU runs them together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <cohort/machine/cpu/port/count/counter.hpp>

#include "count/model/warp_access.hpp"

namespace cohort::count {

// The addresses of an access, in one line of the cache. Most accesses have addresses at equal distances, which need no
// memory for each lane.
struct alignas(64) open_access {
  cohort_count_site* site = nullptr;
  uint64_t key = 0;
  uint32_t lanes = 0;
  uint32_t next = 0;   // the access that the last lane to leave this one joined next
  uint64_t first = 0;  // address of lane 0, computed from the distance if lane 0 has not joined
  int64_t stride = 0;  // distance from the address of one lane to that of the next
  uint32_t list = 0;   // number of the list of addresses; 0: they have equal distances
  uint32_t is_closed = 0;

  uint64_t address_of(uint32_t lane) const { return first + static_cast<uint64_t>(stride) * lane; }
};

class open_accesses {
 public:
  // Begins with no access. `all`: the lanes of the warp.
  void begin(uint32_t all);

  // Adds the lane to the access that was opened directly after the lane's latest one, if the lane's new access is that
  // one and still lacks further lanes. Most calls end here. It calls no function, so that its caller saves no
  // registers.
  bool join_predicted(const cohort_count_site& site, uint64_t key, uint32_t lane, uint64_t address) {
    const uint32_t number = latest_[lane] + 1;
    open_access& access = accesses_[number];
    const uint32_t before = access.lanes;
    const uint32_t after = before | 1u << lane;
    if (access.site != &site || access.key != key || after == before || after == all_) return false;
    if (access.list == 0) {
      if ((before & (before - 1)) == 0 || access.address_of(lane) != address) return false;
    } else {
      lists_[access.list][lane] = address;
    }
    access.lanes = after;
    latest_[lane] = number;
    return true;
  }
  // Adds the lane to its access, and returns that.
  open_access& join(cohort_count_site& site, uint64_t key, uint32_t lane, uint64_t address);
  bool is_complete(const open_access& access) const { return access.lanes == all_; }
  // Marks the access as counted. It is kept until all accesses are counted, because lanes find their next access
  // through it.
  void close(open_access& access) {
    access.is_closed = 1;
    if (--open_ == 0) clear();
  }

  bool is_empty() const { return open_ == 0; }
  size_t size() const { return end(); }

  // Calls `use` for each access that is not closed, and then removes all accesses.
  template <class Use>
  void drain(const Use& use) {
    if (is_empty()) return;
    for (size_t i = 1; i < end(); ++i) {
      if (!accesses_[i].is_closed) use(accesses_[i]);
    }
    open_ = 0;
    clear();
  }

  // The addresses of an access with a list. Lanes that did not join have the address of one that did.
  const std::array<uint64_t, lanes_per_warp>& addresses_of(const open_access& access) const {
    return lists_[access.list];
  }

 private:
  // A slot of the hash table, for a site and a key. It is empty if `round` is not the current round.
  struct slot {
    uint32_t round = 0, number = 0;
  };

  static bool is_match(const open_access& access, const cohort_count_site& site, uint64_t key, uint32_t lane) {
    return access.site == &site && access.key == key && !(access.lanes >> lane & 1);
  }
  size_t end() const { return accesses_.size() - 1; }
  void add_slowly(open_access& access, uint32_t before, uint32_t lane, uint64_t address);
  uint32_t find(cohort_count_site& site, uint64_t key, uint32_t lane);
  void grow();
  void clear();

  // Element 0 is the beginning of all lanes; the last element stands for an access that is not opened yet.
  std::vector<open_access> accesses_;
  std::vector<std::array<uint64_t, lanes_per_warp>> lists_;
  std::vector<slot> table_;
  uint32_t round_ = 1;
  uint32_t open_ = 0;
  uint32_t all_ = 0;
  uint32_t used_lists_ = 0;
  std::array<uint32_t, lanes_per_warp> latest_ = {};
};

}  // namespace cohort::count
