// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-phase barriers above a warp: a thread arrives, works, and waits later. The token of an arrival is the number of
// its phase. An arrival sets a bit in split_lanes::arrived; completing the phase moves it to `passed`, where the wait
// finds it.
#pragma once

#include "engine/state/block.hpp"

namespace cohort::engine {

constexpr const char* sync_between_arrive_and_wait =
    "sync() between barrier_arrive() and barrier_wait() of the same thread; wait first";

// Fails the launch if the lanes `bit` of `w` have arrived at `barrier` and not waited: they must wait with their token,
// not at the ordinary barrier.
void refuse_between_arrive_and_wait(block& b, const warp& w, uint32_t bit, int barrier, const void* place);

// See cohort_wait_arrive and cohort_wait_token.
uint32_t arrive(int barrier, const char* op_name, const void* place);
void wait_token(int barrier, uint32_t token, const void* place);

// Withdraws the arrivals of lane `bit` of `w`, which has returned.
void withdraw_arrivals(block& b, const warp& w, uint32_t bit);

}  // namespace cohort::engine
