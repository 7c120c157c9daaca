// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A resident block: its lanes, its warps and its barriers. One worker owns it and no other thread writes to it while it
// runs, so nothing here is atomic.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/state/bulk_copies.hpp"
#include "engine/state/gang.hpp"
#include "engine/state/late_copies.hpp"
#include "engine/state/shared_memory.hpp"
#include "engine/state/storage.hpp"
#include "engine/state/teams.hpp"
#include "engine/state/warp.hpp"
#include "engine/state/warpgroup_products.hpp"

namespace cohort::engine {

struct cluster;
struct grid;
struct worker;

constexpr uint32_t outer_barriers = cohort_barriers - cohort_barrier_cluster;

// The block's own barrier. It has no count of arrivals: it is full when all live lanes of the block wait at it.
struct block_barrier {
  uint32_t phase = 0;                     // phases that are complete
  uint32_t true_count = 0;                // lanes of the current phase with a true predicate
  uint32_t last_count = 0;                // true_count of the last complete phase
  uint32_t voting = 0;                    // lanes of the current phase that vote: all or none
  uint32_t votes[block_votes] = {};       // `voting` for each block_vote: all lanes must call one
  cohort_resolve_team resolve = nullptr;  // resolves the collective of the current phase; null: a barrier only
  const char* op_name = nullptr;
};

// The block's part of a barrier beyond the block.
struct outer_barrier {
  uint32_t arrived = 0;                   // lanes that have arrived in the current phase
  uint32_t phase = 0;                     // complete phases that the block has observed
  bool sent = false;                      // all lanes have arrived, and the block's arrival is sent
  bool allowed = false;                   // a plain wait may join, no check needed; false during a collective
  cohort_resolve_team resolve = nullptr;  // resolves the collective that ends at the barrier; null: a barrier only
  const char* op_name = nullptr;
};

// Lanes of a warp between the arrival at a split-phase barrier and the wait. Index: cohort_barrier.
struct split_lanes {
  uint32_t arrived[cohort_barriers];  // lanes whose phase is not complete
  uint32_t passed[cohort_barriers];   // lanes whose phase is complete: their wait returns at once
};
struct split_table {
  split_lanes warps[warps_per_block];
};

struct alignas(64) cluster_scratch {
  char bytes[cohort_cluster_scratch_bytes];
};

struct block : cohort_block_context {
  engine::worker* worker = nullptr;
  engine::grid* grid = nullptr;
  uint64_t rank = 0;  // rank in the grid
  uint32_t threads_total = 0;
  uint32_t warp_count = 0;
  uint32_t warps_ready = 0;  // warps with lanes that can run
  uint32_t live = 0;         // lanes that have not returned
  block_barrier barrier;
  outer_barrier outer[outer_barriers];  // cluster, grid, multi-grid
  engine::cluster* cluster = nullptr;   // null in a launch without clusters
  bool left_cluster = false;            // all lanes returned, and the cluster's barrier no longer counts the block

  on_demand<split_table> splits;
  on_demand<team_table> teams;
  on_demand<copy_table> copies;
  on_demand<cluster_scratch> scratch;
  warp warps[warps_per_block];
  uint32_t waiting[cohort_barriers][warps_per_block] = {};  // lanes of each warp; unused for the block's own barrier

  std::unique_ptr<lane[]> lanes;
  std::unique_ptr<fiber[]> fibers;       // fiber i runs lane i, unless the strategy gives the lanes other fibers
  std::unique_ptr<context[]> registers;  // registers of fiber i
  std::unique_ptr<char[]> exchange_memory;
  gang_table gangs;  // unused unless the launch runs gangs
  shared_memory shared;
  on_demand<named_table> named;  // after the warps, to keep their alignment in cache lines
  on_demand<mbarrier_table> mbarriers;
  on_demand<bulk_table> bulk;
  on_demand<warpgroup_table> warpgroups;

  // Gives the block its shape, unless it has it.
  void shape(const uint32_t (&dim)[3]);
  // Makes all lanes ready to start as block `new_rank` of `g`.
  void begin(engine::grid& g, uint64_t new_rank);
  // Makes the block, in which no lane has waited, block `new_rank` of the same launch. Leaves the warps unchanged. pre:
  // all lanes have returned
  void begin_again(uint64_t new_rank);
  // Makes all lanes of all warps ready to start.
  void begin_warps();
  // Makes warp::live what it is at the block's begin.
  void begin_lanes();
  // The lanes that exist of the warp with this number.
  uint32_t lanes_of_warp(uint32_t number) const {
    const uint32_t count = threads_total - number * lanes_per_warp;
    return count >= lanes_per_warp ? ~0u : (1u << count) - 1;
  }
  // Returns each lane's pending asynchronous copies (cp.async); empties the lists at the block's first call.
  copy_table& begin_copies();
  // Clears all waits after a failed launch.
  void forget_waiters();

  outer_barrier& outer_of(int barrier) { return outer[barrier - cohort_barrier_cluster]; }
  const outer_barrier& outer_of(int barrier) const { return outer[barrier - cohort_barrier_cluster]; }

  // True if a lane waits at an outer barrier at which all lanes of the block have arrived: other blocks can release it.
  bool waits_outside() const;
  // True if a lane waits for an mbarrier whose phase another block of the cluster may complete.
  bool waits_for_cluster() const;
  bool spins() const;
  uint32_t lanes_at_barrier() const;
  uint32_t lanes_in_collective() const;
  // Number of threads that have arrived in the current phase of a named barrier, and number that completes it.
  uint32_t threads_arrived(const named_barrier& n) const;
  uint32_t threads_needed(const named_barrier& n) const { return n.threads ? n.threads : live; }

 private:
  void begin_waits();
};

inline void set_index(uint32_t (&index)[4], const uint32_t (&dim)[4], uint64_t rank) {
  index[0] = static_cast<uint32_t>(rank % dim[0]);
  index[1] = static_cast<uint32_t>(rank / dim[0] % dim[1]);
  index[2] = static_cast<uint32_t>(rank / dim[0] / dim[1]);
}

}  // namespace cohort::engine
