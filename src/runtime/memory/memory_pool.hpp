// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory pool: a name under which allocations in stream order are counted. It keeps no memory for later.
// Allocations own their pool together with the table of pools, for they may outlive its name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cohort::runtime {

struct memory_pool : std::enable_shared_from_this<memory_pool> {
  int device = 0;
  size_t most_bytes = 0;  // 0: no limit of its own
  std::atomic<size_t> used{0};
  std::atomic<size_t> used_high{0};
  std::atomic<uint64_t> release_threshold{0};
  std::atomic<int> reuse[3] = {1, 1, 1};
  bool created = false;  // by cudaMemPoolCreate
};

// A block of `bytes` of this pool was given back.
void count_pool_free(memory_pool& pool, size_t bytes);

}  // namespace cohort::runtime
