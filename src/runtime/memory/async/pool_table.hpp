// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All pools with a valid handle.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/memory/pool/memory_pool.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

struct pool_table {
  std::mutex mutex;
  std::unordered_map<const memory_pool*, std::shared_ptr<memory_pool>> pools;
  std::vector<memory_pool*> default_of;  // index: device
  std::vector<memory_pool*> current_of;

  // The only table. Made at the first use, never destroyed.
  static pool_table& instance();
  // Makes the default pools of the devices. pre: the caller holds the lock
  void prepare();
  // Adds a pool. pre: the caller holds the lock
  memory_pool* add(int device, size_t most_bytes);
};

// cudaErrorInvalidValue for a type of handles that does not exist, cudaErrorNotSupported for one of other systems.
inline cudaError_t check_handle_type(cudaMemAllocationHandleType type) {
  switch (type) {
    case cudaMemHandleTypeNone:
    case cudaMemHandleTypePosixFileDescriptor:
      return cudaSuccess;
    case cudaMemHandleTypeWin32:
    case cudaMemHandleTypeWin32Kmt:
    case cudaMemHandleTypeFabric:
      return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

inline cudaMemPool_t handle_of(memory_pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

// Finds the pool of a handle and calls `body(memory_pool&)` under the table's lock.
template <class Body>
cudaError_t pool_call(cudaMemPool_t handle, Body&& body) {
  return device_call([&] {
    pool_table& table = pool_table::instance();
    std::lock_guard lock(table.mutex);
    table.prepare();
    const auto at = table.pools.find(reinterpret_cast<memory_pool*>(handle));
    return at == table.pools.end() ? cudaErrorInvalidValue : body(*at->second);
  });
}

}  // namespace cohort::runtime
