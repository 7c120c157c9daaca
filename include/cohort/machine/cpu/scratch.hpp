// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory beyond the block: the shared memory of a cluster's blocks, and scratch memory of clusters and multi-grids.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../contract/concept.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct scratch {
  COHORT_FN static void* map_shared(const void* address, uint32_t rank) { return cohort_cluster_map(address, rank); }
  COHORT_FN static uint32_t shared_owner(const void* address) { return cohort_cluster_owner(address); }
  static constexpr bool keeps_cluster_scratch = true;
  COHORT_FN static void* cluster_scratch(uint32_t rank) { return cohort_cluster_scratch(rank); }

  // One worker runs all threads of a block.
  static constexpr bool threads_take_turns = true;
  COHORT_FN static void* turn_memory() { return cohort_exchange() - turn_bytes; }

  COHORT_FN static uint32_t multi_grid_rank() { return cohort_multi_grid_rank(); }
  COHORT_FN static uint32_t multi_grid_count() { return cohort_multi_grid_count(); }
  COHORT_FN static void* multi_grid_scratch(uint32_t /*grid*/, size_t bytes) {
    return cohort_multi_grid_scratch(bytes);
  }
  static constexpr bool has_multi_grid_messages = false;
  static constexpr bool has_multi_grid_put = true;
  COHORT_FN static void multi_grid_put(size_t bytes, size_t offset, const void* from, size_t count) {
    cohort_multi_grid_put(bytes, offset, from, count);
  }
  COHORT_FN static void* world_address(const void* address, uint32_t rank) {
    return cohort_world_address(address, rank);
  }
  COHORT_FN static void world_put(void* to, const void* from, size_t bytes, uint32_t rank) {
    cohort_world_put(to, from, bytes, rank);
  }

 private:
  static_assert(cluster_scratch_bytes == cohort_cluster_scratch_bytes && turn_bytes == cohort_turn_bytes,
                "port.hpp and concept.hpp state one size of the memory");
};

}  // namespace cpu
}  // namespace cohort
