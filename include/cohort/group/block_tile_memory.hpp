// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_tile_memory: scratch memory that CUDA's tiles above 32 threads need. Cohort's tiles need none. Sources that
// declare it compile and work, in the spelling of CUDA 11 (namespace experimental, two arguments) and of CUDA 12.
#pragma once

#include "../base/config.hpp"
#include "partition.hpp"
#include "thread_block.hpp"

namespace cohort {

/// Accepted in place of CUDA's scratch memory for tiles above 32 threads, and not used. It may be declared __shared__
/// and has 8 bytes. CUDA 12 spells it block_tile_memory<MaxBlockSize>, CUDA 11
/// experimental::block_tile_memory<CommunicationSize, MaxBlockSize>; one template serves a source that opens both
/// namespaces.
template <unsigned int First = 1024, unsigned int Second = 1024>
struct alignas(8) block_tile_memory {};

/// The block of the calling thread. Does not read or write the memory, and does not wait.
template <unsigned int First, unsigned int Second>
COHORT_FN thread_block this_thread_block(block_tile_memory<First, Second>&) {
  return this_thread_block();
}

// CUDA 11's namespace of tiles above 32 threads.
namespace experimental {
using cohort::block_tile_memory;
using cohort::this_thread_block;
using cohort::thread_block_tile;
using cohort::tiled_partition;
}  // namespace experimental

}  // namespace cohort
