// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every piece of memory that a call of the runtime made or was told of.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct memory_pool;

enum class memory_kind : unsigned char {
  device,
  managed,
  host,        // cudaHostAlloc
  registered,  // the user's own, cudaHostRegister
};

struct allocation {
  char* base = nullptr;
  size_t bytes = 0;
  memory_kind kind = memory_kind::device;
  bool being_freed = false;  // by an operation of a stream that has not run yet
  int device = 0;
  unsigned flags = 0;
  std::shared_ptr<memory_pool> pool;

  bool contains(const void* first, size_t length) const {
    const char* const at = static_cast<const char*>(first);
    return at >= base && length <= bytes && static_cast<size_t>(at - base) <= bytes - length;
  }
};

class allocation_table {
 public:
  // Made at the first use and never destroyed.
  static allocation_table& instance();

  // Obtains memory for `device` and enters it. Device and managed memory count against the device's size.
  // cudaErrorMemoryAllocation if it cannot be had. pre: bytes > 0
  cudaError_t allocate(memory_kind kind, int device, size_t bytes, unsigned flags, std::shared_ptr<memory_pool> pool,
                       void** memory);
  // Enters the user's own memory; cudaErrorHostMemoryAlreadyRegistered if a part of it is known already.
  cudaError_t enter(const allocation& known);
  // The allocation that `address` lies in.
  bool find(const void* address, allocation* found) const;
  // Takes out the allocation that starts at `base`, if `wanted(allocation)`; the caller owns it then.
  template <class Predicate>
  bool take(const void* base, Predicate&& wanted, allocation* taken);
  // From now on nobody else can free it. False if it is not there, is another kind, or is being freed.
  bool begin_free(const void* base, memory_kind kind);
  // Gives the memory back. pre: taken out
  void release(const allocation& taken);
  // Everything of one device, taken out.
  std::vector<allocation> take_all(int device);

  // Bytes of device memory in use.
  size_t used(int device) const;

 private:
  static bool counts(memory_kind kind) { return kind == memory_kind::device || kind == memory_kind::managed; }
  const allocation* find_unlocked(const void* address) const;
  bool reserve(int device, size_t bytes);
  void unreserve(int device, size_t bytes);

  mutable std::shared_mutex mutex_;
  std::map<const char*, allocation> by_base_;
  std::vector<size_t> used_;  // by device
};

template <class Predicate>
bool allocation_table::take(const void* base, Predicate&& wanted, allocation* taken) {
  std::unique_lock lock(mutex_);
  const auto at = by_base_.find(static_cast<const char*>(base));
  if (at == by_base_.end() || !wanted(at->second)) return false;
  *taken = at->second;
  by_base_.erase(at);
  return true;
}

}  // namespace cohort::runtime
