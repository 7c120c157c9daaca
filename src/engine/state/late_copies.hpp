// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that a thread has asked for and that are made as late as allowed, so that reading before the wait shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cohort::engine {

// Of one thread.
struct late_copies {
  struct copy {
    void* to;
    const void* from;
    size_t bytes;
    uint64_t stage;
  };
  std::vector<copy> waiting;  // in the order in which they were asked for
  uint64_t stage = 0;         // the newest one, which is not ended

  void add(void* to, const void* from, size_t bytes) { waiting.push_back({to, from, bytes, stage}); }
  void commit() { ++stage; }
  // Makes the copies of all ended stages but the latest `stages`.
  void make_all_but(uint64_t stages) { make_before(stage > stages ? stage - stages : 0); }
  void make_all() { make_before(stage + 1); }

 private:
  void make_before(uint64_t end) {
    size_t made = 0;
    for (; made < waiting.size() && waiting[made].stage < end; ++made) {
      std::memcpy(waiting[made].to, waiting[made].from, waiting[made].bytes);
    }
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(made));
  }
};

}  // namespace cohort::engine
