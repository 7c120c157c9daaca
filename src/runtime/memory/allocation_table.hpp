// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all memory that the runtime has allocated or registered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

struct graph_memory;
struct memory_pool;

enum class memory_kind : unsigned char {
  device,
  managed,
  host,        // cudaHostAlloc
  registered,  // cudaHostRegister: memory that the program has allocated
  opened,      // device memory of another process: cudaIpcOpenMemHandle, cudaMemPoolImportPointer, external memory
  mapped,      // cuMemMap: physical memory at a reserved address, which the address space owns
  graph,       // device memory of an allocation node of a graph, allocated or not
  array,       // a CUDA array
  object,      // a texture or surface object, which kernels read
};

// Whether the kind is device memory of this process.
inline bool is_own_device_memory(memory_kind kind) {
  return kind == memory_kind::device || kind == memory_kind::graph || kind == memory_kind::array;
}

struct allocation {
  char* base = nullptr;
  size_t bytes = 0;
  memory_kind kind = memory_kind::device;
  bool being_freed = false;  // a pending operation of a stream will free it
  int device = 0;
  unsigned flags = 0;
  std::shared_ptr<memory_pool> pool;
  bool exported = false;     // other processes may read and write it
  int exporter = 0;          // the number of the process that allocated opened memory
  uint64_t file_offset = 0;  // offset in the pool's file, for memory of a shareable pool
  std::weak_ptr<graph_memory> graph;
  bool external = false;            // opened by cudaExternalMemoryGetMappedBuffer: cudaFree unmaps it
  bool synchronous_copies = false;  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, which only programs read

  // True for memory that cudaFree and cudaFreeAsync accept: this process allocated it, or it comes from an imported
  // pool.
  bool is_device_memory() const { return kind == memory_kind::device || (kind == memory_kind::opened && pool); }
  bool contains(const void* first, size_t length) const {
    const char* const at = static_cast<const char*>(first);
    return at >= base && length <= bytes && static_cast<size_t>(at - base) <= bytes - length;
  }
};

// For example "managed memory" or "device memory that process 12 exported, opened".
std::string name_of(const allocation& memory);

class allocation_table {
 public:
  // The only table. Made at the first use, never destroyed.
  static allocation_table& instance();

  // Allocates memory for `device` and adds it to the table. Device and managed memory count towards the memory size of
  // the device. cudaErrorMemoryAllocation if the device or the system has too little. pre: bytes > 0
  cudaError_t allocate(memory_kind kind, int device, size_t bytes, unsigned flags, std::shared_ptr<memory_pool> pool,
                       void** memory);
  // Maps memory of an open file at `offset` and adds it as `described`, with the address of the mapping.
  // cudaErrorMapBufferObjectFailed if the system refuses the mapping; cudaErrorMemoryAllocation if the memory counts
  // towards a device that has too little.
  cudaError_t map_file(int file, uint64_t offset, const allocation& described, void** memory);
  // Adds memory that the program has allocated. cudaErrorHostMemoryAlreadyRegistered if a part of it is in the table.
  cudaError_t enter(const allocation& known);
  // Writes the allocation that contains `address`; false if there is none.
  bool find(const void* address, allocation* found) const;
  // Writes the allocation that contains `address`, or the nearest one beside it; false if the table is empty.
  bool find_nearest(const void* address, allocation* found) const;
  // The memory of `device` that this process allocated.
  std::vector<memory_range> own_memory(int device) const;
  // Removes the allocation that starts at `base` from the table, if `wanted(allocation)` is true; the caller then owns
  // it.
  template <class Predicate>
  bool take(const void* base, Predicate&& wanted, allocation* taken);
  // Marks the allocation as exported. False if it no longer exists.
  bool mark_exported(const void* base);
  // Stores an attribute of the device memory around an address. False if there is none.
  bool set_synchronous_copies(const void* address, bool waits);
  // Marks device memory as being freed, so no other call can free it. False if there is no such allocation, or if it is
  // being freed already.
  bool begin_free(const void* base);
  // Returns the memory to the system. `by_reset`: the program has not freed it. pre: `taken` has been removed from the
  // table
  void release(const allocation& taken, bool by_reset = false);
  // The error of a call that must not free `memory`: cudaErrorInvalidValue.
  static cudaError_t refuse_free(const void* memory);
  // Removes all allocations of one device from the table, except mapped memory, which survives the device's reset, and
  // memory of graphs, whose nodes still exist.
  std::vector<allocation> take_all(int device);
  std::vector<std::shared_ptr<graph_memory>> memory_of_graphs(int device) const;

  // Counts bytes towards the memory size of a device. False if the device has too little.
  bool charge(int device, size_t bytes);
  void discharge(int device, size_t bytes);

  // Bytes of device and managed memory and of arrays in use on `device`, and physical memory of its graphs.
  size_t used(int device) const;

 private:
  static bool counts(memory_kind kind) {
    return kind == memory_kind::device || kind == memory_kind::managed || kind == memory_kind::array;
  }
  const allocation* find_unlocked(const void* address) const;

  mutable std::shared_mutex mutex_;
  std::map<const char*, allocation> by_base_;
  std::vector<size_t> used_;  // index: device
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
