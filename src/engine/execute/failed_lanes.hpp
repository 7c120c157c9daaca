// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "engine/state/failure.hpp"

namespace cohort::engine {

struct gang;
struct worker;

// The lane that failed in a second run. Without a signal and an overrun, no lane failed.
struct failed_lane {
  int signal;
  bool overrun;
  uint32_t rank;
  bool same_block;
  bool overflow;
  bool misaligned;
  const void* place;
  const void* address;
  int caller_count;
  const void* callers[failure::most_callers];
};

// Runs the cluster of block `rank` once more, each lane on a fiber, until one of them faults. pre: the process is a
// forked child, because blocks that ran have changed memory
failed_lane run_on_fibers(worker& w, uint64_t cluster, uint64_t rank);

// Completes worker::failed after a fault or the watchdog has interrupted `g`: with the thread that failed, or with all
// that may have.
void find_failed_lanes(worker& w, gang& g);

// Implements cohort_gang_fail_assert.
void fail_gang_assert(const char* expression, const char* file, int line, const char* function);

// Stores the lanes that may have failed: those that a loop of `g` still executes if the watchdog interrupted it, else
// all live lanes.
void note_failed_lanes(worker& w, const gang& g);

}  // namespace cohort::engine
