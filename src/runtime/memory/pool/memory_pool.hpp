// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA memory pools. A pool counts the allocations made from it and keeps no freed memory. The table of pools and the
// allocations share its ownership: an allocation may outlive cudaMemPoolDestroy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/memory/pool/pool_file.hpp"
#include "runtime/state/access_rights.hpp"

namespace cohort::runtime {

struct memory_pool : std::enable_shared_from_this<memory_pool> {
  int device = 0;
  size_t most_bytes = 0;  // 0: limited by the device's memory only
  std::atomic<size_t> used{0};
  std::atomic<size_t> used_high{0};
  std::atomic<uint64_t> release_threshold{0};
  std::atomic<int> reuse[3] = {1, 1, 1};
  access_rights rights;             // rights of other devices; the device of the pool has all rights
  bool created = false;             // made by a call of the program, so cudaMemPoolDestroy may destroy it
  bool imported = false;            // owned by another process, which alone allocates from it
  std::unique_ptr<pool_file> file;  // null: other processes cannot import the pool

  // Counts the free of an allocation. `file_offset`: where it lay in the pool's file, if there is one.
  void note_free(size_t bytes, uint64_t file_offset) {
    used -= bytes;
    if (file) file->give_back(file_offset, bytes);
  }
};
}  // namespace cohort::runtime
