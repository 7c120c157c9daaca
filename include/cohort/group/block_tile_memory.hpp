// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_tile_memory: what CUDA's tiles above 32 threads once needed as scratch. Tiles of Cohort need none; sources that
// declare it compile and work, in the spelling of CUDA 11 (namespace experimental, two arguments) and of CUDA 12.
#pragma once

#include "../base/config.hpp"
#include "partition.hpp"
#include "thread_block.hpp"

namespace cohort {

// block_tile_memory<MaxBlockSize>, or experimental::block_tile_memory<CommunicationSize, MaxBlockSize>. One template
// for both, so that a source may open both namespaces. Usable with __shared__; takes 8 bytes.
template <unsigned int First = 1024, unsigned int Second = 1024>
struct alignas(8) block_tile_memory {};

// The block of the calling thread. The memory is not touched, and nobody is waited for.
template <unsigned int First, unsigned int Second>
COHORT_FN thread_block this_thread_block(block_tile_memory<First, Second>&) {
  return this_thread_block();
}

// Where CUDA 11 had tiles above 32 threads.
namespace experimental {
using cohort::block_tile_memory;
using cohort::this_thread_block;
using cohort::thread_block_tile;
using cohort::tiled_partition;
}  // namespace experimental

}  // namespace cohort
