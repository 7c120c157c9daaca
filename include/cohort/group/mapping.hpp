// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic between indices and ranks: threads of a block, blocks of a cluster and of a grid, grids of a multi-device
// launch, lanes of a tile.
#pragma once

#include <stdint.h>

#include "../base/bits.hpp"
#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../base/lane_mask.hpp"
#include "../machine/contract/thread_rank.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {
namespace detail {

COHORT_FN dim3 thread_index() {
  return dim3(this_machine::thread_index(0), this_machine::thread_index(1), this_machine::thread_index(2));
}
COHORT_FN dim3 block_index() {
  return dim3(this_machine::block_index(0), this_machine::block_index(1), this_machine::block_index(2));
}
COHORT_FN dim3 block_dim() {
  return dim3(this_machine::block_dim(0), this_machine::block_dim(1), this_machine::block_dim(2));
}
COHORT_FN dim3 grid_dim() {
  return dim3(this_machine::grid_dim(0), this_machine::grid_dim(1), this_machine::grid_dim(2));
}

// The rank of the thread in its block; x changes fastest.
COHORT_FN uint32_t block_thread_rank() { return block_thread_rank_in<this_machine>(); }
COHORT_FN uint32_t block_size() { return block_size_in<this_machine>(); }

// The extent of the cluster in blocks. The extents of the grid are multiples of it.
COHORT_FN dim3 cluster_dim() {
  return dim3(this_machine::cluster_dim(0), this_machine::cluster_dim(1), this_machine::cluster_dim(2));
}
COHORT_FN uint32_t cluster_num_blocks() {
  return this_machine::cluster_dim(0) * this_machine::cluster_dim(1) * this_machine::cluster_dim(2);
}
// The index of the block in its cluster.
COHORT_FN uint32_t cluster_block_index(int axis) {
  return this_machine::block_index(axis) % this_machine::cluster_dim(axis);
}
COHORT_FN uint32_t cluster_block_rank() {
  return (cluster_block_index(2) * this_machine::cluster_dim(1) + cluster_block_index(1)) *
             this_machine::cluster_dim(0) +
         cluster_block_index(0);
}
COHORT_FN uint32_t cluster_size() { return cluster_num_blocks() * block_size(); }
COHORT_FN uint32_t cluster_thread_rank() { return cluster_block_rank() * block_size() + block_thread_rank(); }

// The index of the block's cluster in the grid, and the grid's extent in clusters.
COHORT_FN uint32_t grid_cluster_index(int axis) {
  return this_machine::block_index(axis) / this_machine::cluster_dim(axis);
}
COHORT_FN uint32_t grid_cluster_dim(int axis) { return this_machine::grid_dim(axis) / this_machine::cluster_dim(axis); }

COHORT_FN unsigned long long grid_block_rank() {
  return (static_cast<unsigned long long>(this_machine::block_index(2)) * this_machine::grid_dim(1) +
          this_machine::block_index(1)) *
             this_machine::grid_dim(0) +
         this_machine::block_index(0);
}
COHORT_FN unsigned long long grid_num_blocks() {
  return static_cast<unsigned long long>(this_machine::grid_dim(0)) * this_machine::grid_dim(1) *
         this_machine::grid_dim(2);
}
COHORT_FN unsigned long long grid_size() { return grid_num_blocks() * block_size(); }
COHORT_FN unsigned long long grid_thread_rank() { return grid_block_rank() * block_size() + block_thread_rank(); }

// Number of threads of all grids of a multi-device launch; zero in other launches.
COHORT_FN unsigned long long multi_grid_size() { return this_machine::multi_grid_count() * grid_size(); }
COHORT_FN unsigned long long multi_grid_thread_rank() {
  return this_machine::multi_grid_rank() * grid_size() +
         (this_machine::multi_grid_count() != 0 ? grid_thread_rank() : 0);
}

// Number of existing threads of the caller's tile of `size` adjacent threads; fewer than `size` in a partial tile.
COHORT_FN uint32_t tile_threads(uint32_t size) {
  const uint32_t left = block_size() - block_thread_rank() / size * size;
  return left < size ? left : size;
}

// The existing lanes of the caller's tile of `Size` adjacent threads; fewer than `Size` in a partial tile.
// pre: Size is a power of two up to 32
template <unsigned Size>
COHORT_FN lane_mask tile_lanes() {
  const uint32_t rank = block_thread_rank();
  const uint32_t first_rank = rank & ~(Size - 1u);
  const uint32_t left = block_size() - first_rank;
  return lane_mask(low_bits(left < Size ? left : Size) << (first_rank % warp_size));
}

}  // namespace detail
}  // namespace cohort
