// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lane, the warp and the worker that this OS thread runs.
#pragma once

#include <cstddef>

#include "engine/state/block.hpp"

namespace cohort::engine {

struct worker;

// Copies of the running warp's fields that an arrival needs in addition to cohort_current_thread. Loads through the
// lane or the warp would add a third to the latency of each switch (measured).
struct alignas(64) running_warp {
  engine::warp* warp;
  engine::lane* lanes;          // lane 0 of the warp
  context* registers;           // registers of lane 0
  std::ptrdiff_t to_registers;  // bytes from `lanes` to `registers`
  rendezvous* last_opened;      // warp->last_opened
  uint32_t ready;               // up to date in place of warp->ready; excludes the running lane
};
inline __thread running_warp running __attribute__((tls_model("initial-exec"))) = {};
inline __thread worker* running_worker __attribute__((tls_model("initial-exec"))) = nullptr;

// The worker of this OS thread; null outside of launches.
inline worker* current_worker() { return running_worker; }

inline lane* current_lane() { return const_cast<lane*>(static_cast<const lane*>(cohort_current_thread)); }
inline block& current_block() { return *current_lane()->warp->block; }
// Number of the current lane in its warp.
inline uint32_t current_lane_number() { return static_cast<uint32_t>(current_lane() - running.lanes); }

inline void set_running_warp(warp& w, uint32_t ready) {
  const std::ptrdiff_t distance = reinterpret_cast<char*>(w.registers) - reinterpret_cast<char*>(w.lanes);
  running = {&w, w.lanes, w.registers, distance, w.last_opened, ready};
}

// Makes `next` the running lane; null: no lane runs.
inline void set_current_lane(lane* next) {
  cohort_current_thread = next;
  if (next) {
    set_running_warp(*next->warp, next->warp->ready & ~next->bit());
  } else {
    running = {};
  }
}

// Writes the copies in `running` back to the warp, when the running lane stops.
inline void stop_running_warp() {
  running.warp->ready = running.ready;
  running.warp->find_waiters_at_block();
}

}  // namespace cohort::engine
