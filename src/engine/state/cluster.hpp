// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that are resident together, on one worker.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/block.hpp"

namespace cohort::engine {

struct cluster {
  std::vector<block*> blocks;  // index: rank in the cluster
  uint32_t live = 0;           // blocks with lanes that have not returned
  uint32_t arrived = 0;        // blocks that have arrived in the current phase of the cluster's barrier
  uint32_t phase = 0;          // phases that are complete
};

// The block's rank in its cluster; 0 in a launch without clusters.
inline uint32_t rank_in_cluster(const block& b) {
  const uint32_t* dim = b.cluster_dim;
  return (b.block_index[2] % dim[2] * dim[1] + b.block_index[1] % dim[1]) * dim[0] + b.block_index[0] % dim[0];
}

// The block with this rank in the cluster of `b`, or null.
inline block* block_of_cluster(block& b, uint32_t rank) {
  if (!b.cluster) return rank == 0 ? &b : nullptr;
  return rank < b.cluster->blocks.size() ? b.cluster->blocks[rank] : nullptr;
}

}  // namespace cohort::engine
