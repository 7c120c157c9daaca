// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "engine/state/failure.hpp"

namespace cohort::engine {

struct gang;
struct worker;

// The lane that failed in a second run; none did if it has neither a signal nor an overrun.
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

// Runs the cluster of block `rank` once more, each lane on a fiber, until one of them faults. Call it in a
// forked child process only: the blocks that ran have changed memory.
failed_lane run_on_fibers(worker& w, uint64_t cluster, uint64_t rank);

// A fault or the watchdog interrupted `g`, so any of its lanes may have failed. Completes worker::failed with the
// thread that failed, or with those that may have.
void find_failed_lanes(worker& w, gang& g);

// Implements cohort_gang_fail_assert.
void fail_gang_assert(const char* expression, const char* file, int line, const char* function);

// Notes as failed: the lanes that a loop of `g` still holds if the watchdog interrupted it, else all that are live.
void note_failed_lanes(worker& w, const gang& g);

}  // namespace cohort::engine
