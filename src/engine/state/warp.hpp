// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp and its lanes. The state of a lane is the mask of its warp that holds its bit.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstdint>

#include "engine/fiber/fiber.hpp"

namespace cohort::engine {

struct block;
struct warp;

constexpr uint32_t lanes_per_warp = 32;
constexpr uint32_t warps_per_block = 32;

// Index of the lowest set bit. pre: mask != 0
inline uint32_t lowest(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

// A CUDA thread: its position, and where it waits. One cache line. The registers of its fiber are in another array: a
// switch touches nothing else, and the lanes of a waiting block should fit into the first-level cache.
struct alignas(64) lane : cohort_thread_context {
  engine::warp* warp;
  uint32_t yields_at;    // low bits of the source place of its last yield
  uint32_t yields;       // number of consecutive yields at that place
  const void* place;     // source place of its wait; null: the fiber's registers hold it
  engine::fiber* fiber;  // runs this lane; may be shared with other lanes

  uint32_t number() const { return thread_rank % lanes_per_warp; }
  uint32_t bit() const { return 1u << number(); }
  const void* waits_at() const { return place ? place : resume_place(*fiber->registers); }
};
static_assert(sizeof(lane) == 64);

// Lanes that wait for each other in one collective of a warp.
struct rendezvous {
  uint32_t mask;    // lanes of the callers' mask; 0: closed
  uint32_t needed;  // lanes of the mask that have not returned
  uint32_t arrived;
  cohort_resolve resolve;
  const char* op_name;
};

// The words that each change of the running warp accesses come first. They are not aligned to a cache line: with that
// alignment a barrier of the block takes 5 to 10 % longer (measured on Zen 5).
struct warp {
  uint32_t ready = 0;            // lanes that can run; running_warp::ready replaces it while a lane of the warp runs
  uint32_t live = 0;             // lanes that have not returned
  uint32_t at_block = 0;         // lanes at the block's barrier; valid while no lane of the warp runs
  uint32_t at_wide = 0;          // lanes at the barrier of a team or beyond the block: block::waiting
  uint32_t converging = 0;       // lanes that wait until no other lane can run
  uint32_t spinning = 0;         // lanes that have yielded
  uint32_t in_collective = 0;    // lanes of at_block that wait in a collective of the block
  uint32_t open = 0;             // lanes that opened a rendezvous that is not complete
  uint32_t bit = 0;              // the bit of this warp in block::warps_ready
  uint32_t releases = 0;         // number of times that converging lanes in a loop which may spin were released
  lane* lanes = nullptr;         // lane 0
  context* registers = nullptr;  // registers of lane 0
  rendezvous* last_opened = opened;  // usually joined by the next lane, so tried first
  engine::block* block = nullptr;

  void* operands[lanes_per_warp];
  rendezvous opened[lanes_per_warp] = {};  // index: the lane that opened it

  // For lanes that wait for convergence: the count of releases when the wait began (waiting_since), and the program
  // point (depth, path).
  uint32_t waiting_since[lanes_per_warp];
  uint32_t depth[lanes_per_warp];           // bytes of the call stack
  const cohort_path* path[lanes_per_warp];  // null in a kernel without the compiler plugin
  uint32_t converged[lanes_per_warp];       // the lanes that were released together with this one

  // Computes at_block. An arrival at the block's barrier stores nothing: each live lane that cannot run and waits at
  // nothing else waits at that barrier.
  void find_waiters_at_block() {
    uint32_t elsewhere = ready | at_wide | converging | spinning;
    for (uint32_t rest = open; rest; rest &= rest - 1) elsewhere |= opened[lowest(rest)].arrived;
    at_block = live & ~elsewhere;
  }
};

}  // namespace cohort::engine
