// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A resident block: its threads, its warps and what each lane waits for. Owned by one worker, touched by no other
// while it runs, so nothing here is atomic. The state of a lane is which of its warp's masks holds its bit.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "../fiber/stack.hpp"
#include "../fiber/switch.hpp"

namespace cohort::engine {

struct block;
struct cluster;
struct grid;
struct late_copies;
struct team_table;
struct warp;
struct worker;

constexpr uint32_t lanes_per_warp = 32;
constexpr uint32_t outer_barriers = cohort_barriers - cohort_barrier_cluster;

// One CUDA thread: one cache line of facts. Its registers lie elsewhere, next to those of its neighbours: a switch
// touches nothing else, and the threads of a block that waits should fit into the first-level cache.
struct alignas(64) thread : cohort_thread_context {
  engine::warp* warp;
  uint32_t spins_at;     // low bits of the place of its last yield
  uint32_t yields;       // in a row, at that place
  const void* place;     // where it waits; null: where its registers will go on
  engine::stack* stack;  // the one it runs on
  context* registers;

  uint32_t lane_bit() const { return 1u << (thread_rank % lanes_per_warp); }
  bool started() const { return registers->resumable(); }
  const void* waits_at() const { return place ? place : resume_place(*registers); }
};
static_assert(sizeof(thread) == 64);

// The first address in `memory` that is a multiple of `alignment`, which must be room that `memory` has to spare.
inline char* align_up(char* memory, size_t alignment) {
  return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(memory) + alignment - 1) / alignment * alignment);
}

// Lanes that wait for each other: those of `mask` that have not returned. No lanes: nobody waits.
struct rendezvous {
  uint32_t mask;
  uint32_t needed;  // of the mask, those that have not returned
  uint32_t arrived;
  cohort_resolve resolve;
  const char* operation;  // for reports
};

struct warp {
  uint32_t ready = 0;       // can run; while one of its lanes runs, running_warp::ready counts instead
  uint32_t live = 0;        // has not returned
  uint32_t at_block = 0;    // waits at the block's barrier; known while no lane of the warp runs
  uint32_t at_wide = 0;     // waits at the barrier of a team, the cluster, the grid or the multi-grid: block::waiting
  uint32_t converging = 0;  // waits until no other lane can run
  uint32_t spinning = 0;    // has yielded
  uint32_t in_collective = 0;  // of those at the block's barrier, who waits in block::collective
  uint32_t open = 0;           // lanes that opened a rendezvous which is not complete
  uint32_t bit = 0;            // of this warp in block::warps_ready
  engine::block* block = nullptr;
  thread* threads = nullptr;     // of lane 0
  context* registers = nullptr;  // of lane 0
  uint32_t releases = 0;         // of converging lanes, so far
  uint32_t results[lanes_per_warp];
  uint32_t loops[lanes_per_warp];  // see cohort_wait_converged_in, of lanes that wait for convergence
  uint64_t turns[lanes_per_warp];
  uint32_t parked_at[lanes_per_warp];  // `releases` when the lane began to wait for convergence
  void* operands[lanes_per_warp];
  rendezvous meetings[lanes_per_warp] = {};  // by the lane that opened it
  rendezvous* newest = meetings;             // opened last; most often the one that the next lane comes to

  // A lane that comes to the block's barrier notes nothing: it is live, cannot run, and waits for nothing else.
  void find_waiters_at_block() {
    uint32_t elsewhere = ready | at_wide | converging | spinning;
    for (uint32_t rest = open; rest; rest &= rest - 1) elsewhere |= meetings[__builtin_ctz(rest)].arrived;
    at_block = live & ~elsewhere;
  }
};

// The lanes of a warp that have arrived at a barrier in two halves and have not come to wait yet, by cohort_barrier.
struct split_lanes {
  uint32_t arrived[cohort_barriers];  // the barrier's phase is not complete
  uint32_t passed[cohort_barriers];   // it is: they need not wait
};

// A barrier that reaches beyond the block, as the block sees it.
struct outer_barrier {
  uint32_t arrived = 0;  // threads, in the phase that fills
  uint32_t phase = 0;    // how many are complete
  bool sent = false;     // all threads arrived, so the block has
  bool allowed = false;  // the launch has this group
};

struct tagged_storage {
  const void* tag;
  std::unique_ptr<char[]> memory;
  char* start;
  size_t bytes;
  size_t alignment;
};

struct block : cohort_block_context {
  // cppcheck-suppress [uninitMemberVar, uninitDerivedMemberVar]; begin() writes what is read
  block();
  ~block();

  engine::worker* worker = nullptr;
  engine::grid* grid = nullptr;
  uint64_t rank = 0;  // in the grid
  uint32_t threads_total = 0;
  uint32_t warp_count = 0;
  uint32_t warps_ready = 0;  // warps with lanes that can run
  uint32_t live = 0;         // threads that have not returned
  uint32_t count = 0;        // true predicates of the barrier that fills
  uint32_t counted = 0;      // of the barrier that completed last
  uint32_t phase = 0;        // of the block's barrier
  // The collective of the whole block that fills: the block's barrier, with something to resolve. Null: none.
  cohort_resolve_team collective = nullptr;
  const char* collective_operation = nullptr;
  bool splits_used = false;             // by this block: `splits` means something
  bool teams_used = false;              // likewise `teams`
  bool copies_used = false;             // likewise `copies`
  bool scratch_used = false;            // likewise `cluster_scratch`
  bool retired = false;                 // all threads returned, and its cluster knows
  engine::cluster* cluster = nullptr;   // null in a launch without clusters
  outer_barrier outer[outer_barriers];  // cluster, grid, multi-grid
  warp warps[32];
  uint32_t waiting[cohort_barriers][32] = {};  // lanes of each warp; unused for the block's barrier itself
  std::unique_ptr<split_lanes[]> splits;       // of each warp
  std::unique_ptr<team_table> teams;
  std::unique_ptr<late_copies[]> copies;  // of each thread
  std::unique_ptr<thread[]> threads;
  std::unique_ptr<context[]> registers;
  std::unique_ptr<char[]> arena;
  size_t arena_bytes = 0;
  size_t shared_bytes = 0;  // from static_shared on
  std::unique_ptr<char[]> exchange_memory;
  std::unique_ptr<char[]> cluster_scratch;
  std::vector<tagged_storage> tagged;

  // Gives the block its shape; keeps what it has where the shape did not change.
  void shape(const uint32_t (&dim)[3]);
  // Room for shared memory: `static_bytes` and, behind, `dynamic_bytes`.
  void provide_shared(size_t static_bytes, size_t dynamic_bytes);
  // After a launch that failed: nobody waits here.
  void forget_waiters();
  // Makes all threads ready to start as block `rank` of `g`.
  void begin(engine::grid& g, uint64_t new_rank);

  // All threads that have not returned wait at the block's barrier, or have arrived there.
  bool barrier_is_full() {
    if (splits_used) return split_barrier_is_full();
    for (uint32_t i = 0; i < warp_count; ++i) {
      if (warps[i].at_block != warps[i].live) return false;
    }
    return live != 0 && (!collective || collective_is_full());
  }
  bool split_barrier_is_full();
  bool collective_is_full() const {
    for (uint32_t i = 0; i < warp_count; ++i) {
      if (warps[i].in_collective != warps[i].live) return false;
    }
    return true;
  }
  uint32_t threads_in_collective() const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < warp_count; ++i)
      count += static_cast<uint32_t>(__builtin_popcount(warps[i].in_collective));
    return count;
  }
  uint32_t threads_at_barrier() const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < warp_count; ++i) count += static_cast<uint32_t>(__builtin_popcount(warps[i].at_block));
    return count;
  }
  // The block as a whole waits for others: some thread waits at an outer barrier at which all have arrived.
  bool waits_outside() const {
    for (uint32_t k = 0; k < outer_barriers; ++k) {
      if (!outer[k].sent) continue;
      for (uint32_t i = 0; i < warp_count; ++i) {
        if (waiting[cohort_barrier_cluster + k][i]) return true;
      }
    }
    return false;
  }
  outer_barrier& outer_of(int barrier) { return outer[barrier - cohort_barrier_cluster]; }
  split_lanes& splits_of(const warp& w) { return splits[&w - warps]; }
  bool spins() const {
    for (uint32_t i = 0; i < warp_count; ++i) {
      if (warps[i].spinning) return true;
    }
    return false;
  }
};

inline void set_index(uint32_t (&index)[4], const uint32_t (&dim)[4], uint64_t rank) {
  index[0] = static_cast<uint32_t>(rank % dim[0]);
  index[1] = static_cast<uint32_t>(rank / dim[0] % dim[1]);
  index[2] = static_cast<uint32_t>(rank / dim[0] / dim[1]);
}

inline uint32_t lowest(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

}  // namespace cohort::engine
