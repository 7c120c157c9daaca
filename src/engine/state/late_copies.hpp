// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of a thread, executed as late as allowed: a kernel that reads before it waits reads the old
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cohort::engine {

class late_copies {
 public:
  void add(void* to, const void* from, size_t bytes) { waiting_.push_back({to, from, bytes, stage_}); }
  // Ends the newest stage.
  void commit() { ++stage_; }
  // Executes the copies of all ended stages except the latest `stages`.
  void make_all_but(uint64_t stages) { make_before(stage_ > stages ? stage_ - stages : 0); }
  void make_all() { make_before(stage_ + 1); }
  // Drops the copies of a launch that failed.
  void forget() { waiting_.clear(); }

 private:
  struct copy {
    void* to;
    const void* from;
    size_t bytes;
    uint64_t stage;
  };
  void make_before(uint64_t end) {
    if (waiting_.empty()) return;
    size_t made = 0;
    for (; made < waiting_.size() && waiting_[made].stage < end; ++made) {
      std::memcpy(waiting_[made].to, waiting_[made].from, waiting_[made].bytes);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(made));
  }

  std::vector<copy> waiting_;  // waiting copies in the order of the calls
  uint64_t stage_ = 0;         // the newest stage, which has not ended
};

// Index: thread rank.
using copy_table = std::vector<late_copies>;

}  // namespace cohort::engine
