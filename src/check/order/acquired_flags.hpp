// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a thread's clock that holds its fences, locks and acquired flags.
#pragma once

#include <cstdint>
#include <vector>

#include "check/memory/record.hpp"

namespace cohort::check {

struct flag_history;

// The accesses that happen before a thread's fence: those before these ticks by the thread, its warp and its block. 0:
// no fence.
struct fence_point {
  uint32_t own = 0;
  uint32_t warp = 0;
  uint32_t block = 0;
};

// A location that a thread has compared and exchanged, as a lock is taken. The lock does not order what the thread does
// between the compare-and-exchange and its next fence: it would race if another thread had taken the lock first.
struct held_lock {
  uintptr_t address = 0;
  uint32_t taken = 0;        // tick of the compare-and-exchange
  uint32_t entered[3] = {};  // tick of the first fence after `taken`, for each scope; 0: none
};

// A part of the history of one location, which a thread has acquired by an atomic of scope `reach`.
struct acquired_flag {
  const flag_history* history;
  uint64_t begin, end;  // releases with numbers in (begin, end]
  scope reach;
};
using acquired_flags = std::vector<acquired_flag>;

}  // namespace cohort::check
