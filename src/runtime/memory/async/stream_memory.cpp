// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in stream order: cudaMallocAsync, cudaMallocFromPoolAsync, cudaFreeAsync.
#include <memory>
#include <vector>

#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/async/pool_table.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

void raise(std::atomic<size_t>& high, size_t value) {
  for (size_t now = high.load(); now < value && !high.compare_exchange_weak(now, value);) {
  }
}

cudaError_t obtain(memory_pool& pool, size_t bytes, void** memory) {
  auto& allocations = allocation_table::instance();
  if (!pool.file) {
    return allocations.allocate(memory_kind::device, pool.device, bytes, 0, pool.shared_from_this(), memory);
  }
  allocation described;
  described.bytes = bytes;
  described.device = pool.device;
  described.pool = pool.shared_from_this();
  const auto offset = pool.file->take(bytes);
  if (!offset) return cudaErrorMemoryAllocation;
  described.file_offset = *offset;
  if (allocations.map_file(pool.file->descriptor(), *offset, described, memory) == cudaSuccess) return cudaSuccess;
  pool.file->give_back(*offset, bytes);
  return cudaErrorMemoryAllocation;
}

cudaError_t allocate_from(memory_pool& pool, size_t bytes, stream& s, void** memory) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  const size_t used = pool.used.fetch_add(bytes) + bytes;
  cudaError_t error = cudaErrorMemoryAllocation;
  if (pool.most_bytes == 0 || used <= pool.most_bytes) {
    error = obtain(pool, bytes, memory);
    if (error == cudaErrorMemoryAllocation) {
      // Operations that free memory in stream order may make room.
      scheduler::instance().wait_for_device(*s.device);
      error = obtain(pool, bytes, memory);
    }
  }
  if (error != cudaSuccess) {
    pool.used -= bytes;
  } else {
    raise(pool.used_high, used);
  }
  return error;
}

// In a captured stream: adds a memory node with the properties of the pool.
cudaError_t record_allocation(stream& s, const memory_pool& pool, size_t bytes, void** memory) {
  std::vector<cudaMemAccessDesc> rights;
  for (int device = 0; device < device_count(); ++device) {
    const cudaMemAccessFlags flags = pool.rights.of(device);
    if (device == pool.device || flags == cudaMemAccessFlagsProtNone) continue;
    rights.push_back({{cudaMemLocationTypeDevice, device}, flags});
  }
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, pool.device};
  parameters.poolProps.maxSize = pool.most_bytes;
  parameters.accessDescs = rights.data();
  parameters.accessDescCount = rights.size();
  parameters.bytesize = bytes;
  auto held = scheduler::instance().lock();
  const cudaError_t error = s.recorder->record_allocation(s, &parameters);
  *memory = error == cudaSuccess ? parameters.dptr : nullptr;
  return error;
}

cudaError_t record_free(stream& s, void* memory) {
  auto held = scheduler::instance().lock();
  return s.recorder->record_free(s, memory);
}

class free_operation : public operation {
 public:
  explicit free_operation(void* memory) : operation(operation_kind::work), memory_(memory) {}

 protected:
  cudaError_t execute() override {
    allocation taken;
    const auto any = [](const allocation&) { return true; };
    if (allocation_table::instance().take(memory_, any, &taken)) allocation_table::instance().release(taken);
    return cudaSuccess;
  }

 private:
  void* memory_;
};

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t handle, cudaStream_t stream_handle) {
  std::shared_ptr<memory_pool> pool;
  const cudaError_t found = pool_call(handle, [&](memory_pool& known) {
    pool = known.shared_from_this();
    return memory && !known.imported ? cudaSuccess : cudaErrorInvalidValue;
  });
  if (found != cudaSuccess) return found;
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
    if (s->recorder && bytes > 0) return record_allocation(*s, *pool, bytes, memory);
    return allocate_from(*pool, bytes, *s, memory);
  });
}

cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream_handle) {
  // The pool of the stream's device, which need not be the current device.
  cudaMemPool_t pool = nullptr;
  const cudaError_t error = device_call([&] {
    stream* s = nullptr;
    const cudaError_t found = find_stream(stream_handle, &s);
    return found != cudaSuccess ? found : cudaDeviceGetMemPool(&pool, s->device->index);
  });
  return error != cudaSuccess ? error : cudaMallocFromPoolAsync(memory, bytes, pool, stream_handle);
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream_handle) {
  return device_call([&] {
    if (!memory) return cudaSuccess;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
    if (s->recorder) return record_free(*s, memory);
    if (const graph_memory_ref of_graph = find_graph_memory(memory)) {
      return of_graph->range.base == memory ? free_in_stream(of_graph, *s) : allocation_table::refuse_free(memory);
    }
    const auto op = std::make_shared<free_operation>(memory);
    if (!allocation_table::instance().begin_free(memory)) {
      return allocation_table::refuse_free(memory);
    }
    if (scheduler::instance().is_idle(*s)) return scheduler::instance().run_here(*s, op);
    scheduler::instance().submit(*s, op);
    return cudaSuccess;
  });
}

}  // extern "C"
