// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bulk copies of a block that have been started and are not executed: those of the bulk groups of each thread, and
// those for whose bytes an mbarrier of the block waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/bulk/bulk_copy.hpp"

namespace cohort::engine {

// The bulk groups of a thread.
class bulk_groups {
 public:
  void add(bulk_copy copy) { waiting_.push_back({std::move(copy), newest_}); }
  // Ends the newest group.
  void commit() { ++newest_; }
  // Reads the sources of all ended groups but the latest `left`.
  void read_all_but(uint64_t left) {
    for (size_t i = 0; i < waiting_.size() && waiting_[i].group < end_of(left); ++i) waiting_[i].copy.read();
  }
  void make_all_but(uint64_t left) { make_before(end_of(left)); }
  void make_all() { make_before(newest_ + 1); }
  void forget() { waiting_.clear(); }

 private:
  struct grouped {
    bulk_copy copy;
    uint64_t group;
  };
  uint64_t end_of(uint64_t left) const { return newest_ > left ? newest_ - left : 0; }
  void make_before(uint64_t end) {
    size_t made = 0;
    for (; made < waiting_.size() && waiting_[made].group < end; ++made) waiting_[made].copy.make();
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(made));
  }

  std::vector<grouped> waiting_;  // in the order of the calls
  uint64_t newest_ = 0;           // the group that has not ended
};

// A copy whose bytes an mbarrier counts, and the place that started it.
struct counted_copy {
  bulk_copy copy;
  const void* place;
};

struct bulk_table {
  std::vector<bulk_groups> groups;    // by thread rank
  std::vector<counted_copy> counted;  // in the order of the calls
};

}  // namespace cohort::engine
