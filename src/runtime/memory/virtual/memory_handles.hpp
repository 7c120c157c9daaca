// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles of physical memory (CUmemGenericAllocationHandle). Each create, import and retain needs a release.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/memory/virtual/physical_memory.hpp"

namespace cohort::runtime {

class memory_handles {
 public:
  // The only table. Made at the first use, never destroyed.
  static memory_handles& instance();

  // Makes memory. cudaErrorMemoryAllocation if the device or the system has too little.
  cudaError_t create(int device, size_t bytes, bool shareable, memory_handle* handle);
  // The memory of a handle; null if the handle is unknown or released.
  std::shared_ptr<physical_memory> find(memory_handle handle);
  // Adds a reference to the handle of mapped memory, even if the program has released it.
  memory_handle retain(const std::shared_ptr<physical_memory>& memory);
  // Drops a reference. False for an unknown handle.
  bool release(memory_handle handle);
  // Opens the memory that a descriptor names. Memory that this process has open keeps its handle.
  // cudaErrorInvalidValue: the descriptor names no memory. cudaErrorNotSupported: this process lacks its device.
  cudaError_t import(int file, memory_handle* handle);

 private:
  struct entry {
    std::shared_ptr<physical_memory> memory;
    size_t count = 0;
  };
  memory_handle retain_locked(const std::shared_ptr<physical_memory>& memory);

  std::mutex mutex_;
  std::unordered_map<memory_handle, entry> entries_;
  std::vector<std::weak_ptr<physical_memory>> shareable_;  // shareable memory with or without a handle
};

}  // namespace cohort::runtime
