// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers of a cooperative launch that cannot run any of their blocks.
#pragma once

#include <cstdint>

namespace cohort::engine {

struct worker;

// Waits until the session's event number differs from `seen`: polls for a while, then sleeps. Fails the launch if no
// worker is left that could cause an event. False if the launch has failed.
bool wait_for_event(worker& w, uint32_t seen);

// Marks the worker's share as finished. Fails the launch if all other workers wait for blocks that have returned.
void finish_share(worker& w);

}  // namespace cohort::engine
