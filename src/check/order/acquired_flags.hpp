// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences, locks and acquired flags of a thread: plain data of its clock.
#pragma once

#include <cstdint>
#include <vector>

#include "check/memory/record.hpp"

namespace cohort::check {

struct flag_history;

// The accesses that happen before a thread's fence: those of the thread, of its warp and of its block before these
// ticks. 0: no fence.
struct fence_point {
  uint32_t own = 0;
  uint32_t warp = 0;
  uint32_t block = 0;
};

// A location that a thread has compared and exchanged, as a lock is taken. What the thread does between that and its
// first fence is not ordered by the lock: it would race if another thread had taken the lock first.
struct held_lock {
  uintptr_t address = 0;
  uint32_t taken = 0;        // tick
  uint32_t entered[3] = {};  // by scope: tick of the first fence since; 0: none
};

// Part of the history of one location, seen through an atomic of `reach`.
struct acquired_flag {
  const flag_history* history;
  uint64_t begin, end;  // numbers of releases
  scope reach;
};
using acquired_flags = std::vector<acquired_flag>;

}  // namespace cohort::check
