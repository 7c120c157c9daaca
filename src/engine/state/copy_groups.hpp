// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The asynchronous copies of a thread that have been started and are not executed, in groups that the thread ends one
// after another. Copies are executed as late as allowed: a kernel that reads before it waits reads the old bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cohort::engine {

template <class Copy>
class copy_groups {
 public:
  void add(Copy started) { waiting_.push_back({std::move(started), newest_}); }
  // Ends the newest group.
  void commit() { ++newest_; }
  // Calls function(copy) for the copies of all ended groups except the latest `left`.
  template <class Function>
  void for_all_but(uint64_t left, Function function) {
    for (size_t i = 0; i < waiting_.size() && waiting_[i].group < end_of(left); ++i) function(waiting_[i].started);
  }
  // Calls function(copy) for all copies.
  template <class Function>
  void for_all(Function function) const {
    for (const grouped& each : waiting_) function(each.started);
  }
  // Executes the copies of all ended groups except the latest `left`, or all copies: calls make(copy) for each.
  template <class Make>
  void make_all_but(uint64_t left, Make make) {
    make_before(end_of(left), make);
  }
  template <class Make>
  void make_all(Make make) {
    make_before(newest_ + 1, make);
  }
  // Drops the copies of a launch that failed.
  void forget() { waiting_.clear(); }

 private:
  struct grouped {
    Copy started;
    uint64_t group;
  };
  uint64_t end_of(uint64_t left) const { return newest_ > left ? newest_ - left : 0; }
  template <class Make>
  void make_before(uint64_t end, Make make) {
    if (waiting_.empty()) return;
    size_t made = 0;
    for (; made < waiting_.size() && waiting_[made].group < end; ++made) make(waiting_[made].started);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(made));
  }

  std::vector<grouped> waiting_;  // copies that are not executed yet, in the order of their calls
  uint64_t newest_ = 0;           // the group that has not ended
};

}  // namespace cohort::engine
