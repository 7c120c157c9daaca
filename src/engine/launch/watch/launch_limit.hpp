// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct grid;

// The launch has run for COHORT_LAUNCH_LIMIT seconds: each of its workers ends it, with a report, when a barrier or a
// collective completes on it or when none of its lanes can run. Called by the watchdog while the launch runs.
void end_at_next_wait(grid& g);

}  // namespace cohort::engine
