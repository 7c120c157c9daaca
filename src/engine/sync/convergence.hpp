// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convergence (coalesced_threads, __activemask): a lane waits until no other lane of its warp can run. Then one point
// of the program is released, with all lanes that wait there.
#pragma once

#include <cstdint>

#include "../state/warp.hpp"

namespace cohort::engine {

// Yields in a row after which a lane counts as unable to run, so that convergence does not wait for a spinning lane.
constexpr uint32_t stale_yields = 4;

// See cohort_wait_converged_in. `frame`: address in the caller's stack frame; its depth tells recursion levels apart.
uint32_t wait_converged(uint32_t loop, uint64_t iteration, const void* place, const void* frame);

// Releases lanes of `w` that wait for convergence at one point, unless a spinning lane of the warp can still run.
bool release_converging(warp& w);

}  // namespace cohort::engine
