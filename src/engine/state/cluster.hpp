// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that are resident together, on one worker: their barrier and their shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort::engine {

struct block;

struct cluster {
  std::vector<block*> blocks;  // by rank in the cluster
  uint32_t live = 0;           // blocks that have not returned
  uint32_t arrived = 0;        // blocks at the barrier
  uint32_t phase = 0;          // of the barrier

  void arrive() {
    ++arrived;
    settle();
  }
  // A block whose threads have all returned drops out; `arrived_before`: it had arrived at the barrier.
  void leave(bool arrived_before) {
    --live;
    if (arrived_before) --arrived;
    if (live) settle();
  }

 private:
  void settle() {
    if (arrived != live) return;
    arrived = 0;
    ++phase;
  }
};

// Rank in its cluster; 0 in a launch without clusters.
uint32_t rank_in_cluster(const block& b);
// The block of b's cluster with this rank, or null.
block* block_of_cluster(block& b, uint32_t rank);
// The block of b's cluster whose shared memory holds `address`, or null.
block* owner_of_shared(block& b, const void* address);
// Where `address`, of the shared memory of `from`, lies in that of `to`. May throw std::bad_alloc.
void* same_shared_place(block& from, block& to, const void* address);
// Bytes of shared memory that the kernel declares and that `b` has tagged so far.
size_t shared_in_use(const block& b);
// Shared storage of `b` for `tag`, zeroed when it is made. Null: the block's shared memory is used up.
void* tagged_shared(block& b, const void* tag, size_t size, size_t alignment);

}  // namespace cohort::engine
