// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convergence (coalesced_threads, __activemask): a lane waits until no other lane of its warp can run. Then one point
// of the program is released, with all lanes that wait there.
#pragma once

#include <cstdint>

#include "engine/state/warp.hpp"

namespace cohort::engine {

// Consecutive yields after which a lane counts as unable to run, so convergence does not wait for a spinning lane.
constexpr uint32_t stale_yields = 4;

// Waits for convergence; returns the converged lanes. `path`: see cohort_wait_converged_at; null in a kernel that the
// compiler plugin has not compiled, whose points are identified by source place and address of the caller's frame.
uint32_t wait_converged(const cohort_path* path, const void* place, const void* frame);

// Releases lanes of `w` that wait for convergence at one point, unless a spinning lane of the warp can still run.
bool release_converging(warp& w);

}  // namespace cohort::engine
