// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct gang;
struct worker;

// A fault or the watchdog interrupted `g`, so any of its lanes may have failed. Completes worker::failed with the
// thread that failed, or with those that may have.
void find_failed_lanes(worker& w, gang& g);

// Implements cohort_gang_fail_assert.
void fail_gang_assert(const char* expression, const char* file, int line, const char* function);

// Notes as failed: the lanes that a loop of `g` still holds if the watchdog interrupted it, else all that are live.
void note_failed_lanes(worker& w, const gang& g);

}  // namespace cohort::engine
