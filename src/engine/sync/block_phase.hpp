// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phase of the block's own barrier: when it is complete, and what completing it does. suspend.hpp and
// gang/gang_wait.hpp have the waits.
#pragma once

#include "engine/state/block.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

// True if all live lanes wait in the collective of the block.
inline bool block_collective_is_full(const block& b) {
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    if (b.warps[i].in_collective != b.warps[i].live) return false;
  }
  return true;
}

// block_barrier_is_full() for a block that uses split-phase barriers, where lanes may have arrived without waiting.
// Sets worker::failed if a lane waits at the ordinary barrier between its arrival and its wait.
bool split_block_barrier_is_full(block& b);

// True if all live lanes vote by one function.
bool block_votes_agree(const block& b);

// True if the waiting lanes agree: all of them exchange values, all of them vote by one function, or none does either.
inline bool block_waits_for_one_thing(const block& b) {
  if (b.barrier.voting && !block_votes_agree(b)) return false;
  return !b.barrier.resolve || block_collective_is_full(b);
}

// True if all live lanes wait at the block's barrier.
inline bool block_barrier_is_full(block& b) {
  if (b.splits.is_used()) return split_block_barrier_is_full(b);
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    if (b.warps[i].at_block != b.warps[i].live) return false;
  }
  return b.live != 0 && block_waits_for_one_thing(b);
}

// Runs the resolve function of the collective in which all lanes of the block wait.
void resolve_block_collective(block& b);
// Marks the phase of the block's barrier as complete: later waits of lanes that arrived without waiting return at once.
void pass_split_block_barrier(block& b);

inline void forget_votes(block_barrier& barrier) {
  barrier.voting = 0;
  for (uint32_t& votes : barrier.votes) votes = 0;
}

// Completes the phase: all lanes that wait at the barrier can run.
inline void open_block_barrier(block& b) {
  if (b.barrier.resolve) resolve_block_collective(b);
  b.barrier.last_count = b.barrier.true_count;
  b.barrier.true_count = 0;
  if (b.barrier.voting) forget_votes(b.barrier);
  ++b.barrier.phase;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    w.ready |= w.at_block;
    w.at_block = 0;
    if (w.ready) b.warps_ready |= w.bit;
  }
  if (b.splits.is_used()) pass_split_block_barrier(b);
  b.worker->advance();
  raise_event(block_synchronised{&b});
}

}  // namespace cohort::engine
