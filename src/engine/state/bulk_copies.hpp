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

// A bulk copy and the place that started it.
struct placed_copy {
  bulk_copy copy;
  const void* place;
};

// The bulk groups of a thread.
class bulk_groups {
 public:
  void add(placed_copy started) { waiting_.push_back({std::move(started), newest_}); }
  // Ends the newest group.
  void commit() { ++newest_; }
  // Reads the sources of all ended groups but the latest `left`.
  void read_all_but(uint64_t left) {
    for (size_t i = 0; i < waiting_.size() && waiting_[i].group < end_of(left); ++i) waiting_[i].started.copy.read();
  }
  // Executes the ended groups but the latest `left`, or all copies: calls `make(placed_copy&)` for each.
  template <class Make>
  void make_all_but(uint64_t left, Make make) {
    make_before(end_of(left), make);
  }
  template <class Make>
  void make_all(Make make) {
    make_before(newest_ + 1, make);
  }
  void forget() { waiting_.clear(); }

 private:
  struct grouped {
    placed_copy started;
    uint64_t group;
  };
  uint64_t end_of(uint64_t left) const { return newest_ > left ? newest_ - left : 0; }
  template <class Make>
  void make_before(uint64_t end, Make make) {
    size_t made = 0;
    for (; made < waiting_.size() && waiting_[made].group < end; ++made) make(waiting_[made].started);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(made));
  }

  std::vector<grouped> waiting_;  // in the order of the calls
  uint64_t newest_ = 0;           // the group that has not ended
};

struct bulk_table {
  std::vector<bulk_groups> groups;   // by thread rank
  std::vector<placed_copy> counted;  // those whose bytes an mbarrier counts, in the order of the calls
};

}  // namespace cohort::engine
