// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies that have started and not ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "check/order/acquired_flags.hpp"

namespace cohort::check {

struct source_range {
  uintptr_t first, end;
};

struct copy_in_flight {
  uint64_t number = 0;                 // the engine's number for the copy; 0: no copy
  uint32_t launch = 0, block = 0;      // the block that has started it
  const uint64_t* mbarrier = nullptr;  // the mbarrier that counts its bytes; null: the copy belongs to a bulk group
  fence_point begun;                   // what happens before the start of a copy that an mbarrier counts
  std::vector<source_range> sources;   // the memory that it still reads
};

class copies_in_flight {
 public:
  static copies_in_flight& instance();

  void add(copy_in_flight copy);
  // Notes that the copy has read its sources.
  void end_reads(uint64_t number);
  // Removes the copy and returns it; one with the number 0 if it is not listed.
  copy_in_flight take(uint64_t number);
  // Removes the copies of a block that ends. `holds(mbarrier)`: the mbarrier is one of the block.
  template <class Holds>
  void end_block(uint32_t launch, uint32_t block, const Holds& holds) {
    const std::lock_guard lock(mutex_);
    std::erase_if(copies_, [&](const copy_in_flight& each) {
      return each.launch == launch && each.block == block && (!each.mbarrier || holds(each.mbarrier));
    });
  }
  void end_launch(uint32_t launch);
  // The parts of the range that a copy still reads. They may overlap. Most programs have no such copy.
  std::vector<source_range> reads_in(uintptr_t first, uintptr_t end);

 private:
  std::atomic<bool> was_used_{false};
  std::mutex mutex_;
  std::vector<copy_in_flight> copies_;
};

}  // namespace cohort::check
