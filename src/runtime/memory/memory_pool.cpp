// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_pool.hpp"

#include <mutex>
#include <unordered_map>

#include "../schedule/api_call.hpp"
#include "../schedule/stream_table.hpp"
#include "allocation_table.hpp"

namespace cohort::runtime {

void count_pool_free(memory_pool& pool, size_t bytes) { pool.used -= bytes; }

namespace {

// All pools with a valid handle. The table is never destroyed.
struct pool_table {
  std::mutex mutex;
  std::unordered_map<const memory_pool*, std::shared_ptr<memory_pool>> pools;
  std::vector<memory_pool*> default_of;  // by device
  std::vector<memory_pool*> current_of;

  void prepare() {
    while (default_of.size() < static_cast<size_t>(device_count())) {
      memory_pool* const made = add(static_cast<int>(default_of.size()), 0);
      default_of.push_back(made);
      current_of.push_back(made);
    }
  }
  memory_pool* add(int device, size_t most_bytes) {
    auto fresh = std::make_shared<memory_pool>();
    fresh->device = device;
    fresh->most_bytes = most_bytes;
    memory_pool* const made = fresh.get();
    pools.emplace(made, std::move(fresh));
    return made;
  }
};

pool_table& table() {
  static pool_table* const all = new pool_table;
  return *all;
}

cudaMemPool_t handle_of(memory_pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

// Finds the pool of a handle and calls `body(memory_pool&)` under the table's lock.
template <class Body>
cudaError_t pool_call(cudaMemPool_t handle, Body&& body) {
  return device_call([&] {
    std::lock_guard lock(table().mutex);
    table().prepare();
    const auto at = table().pools.find(reinterpret_cast<memory_pool*>(handle));
    return at == table().pools.end() ? cudaErrorInvalidValue : body(*at->second);
  });
}

// Writes the pool of `device` from one of the table's lists.
cudaError_t find_pool_of_device(cudaMemPool_t* pool, int device, std::vector<memory_pool*> pool_table::* by_device) {
  return device_call([&] {
    if (!pool) return cudaErrorInvalidValue;
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    std::lock_guard lock(table().mutex);
    table().prepare();
    *pool = handle_of((table().*by_device)[static_cast<size_t>(device)]);
    return cudaSuccess;
  });
}

void raise(std::atomic<size_t>& high, size_t value) {
  for (size_t now = high.load(); now < value && !high.compare_exchange_weak(now, value);) {
  }
}

cudaError_t allocate_from(memory_pool& pool, size_t bytes, stream& s, void** memory) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  const size_t used = pool.used.fetch_add(bytes) + bytes;
  cudaError_t error = cudaErrorMemoryAllocation;
  if (pool.most_bytes == 0 || used <= pool.most_bytes) {
    auto& allocations = allocation_table::instance();
    error = allocations.allocate(memory_kind::device, pool.device, bytes, 0, pool.shared_from_this(), memory);
    if (error == cudaErrorMemoryAllocation) {
      // Operations that free memory in stream order may make room.
      scheduler::instance().wait_for_device(*s.device);
      error = allocations.allocate(memory_kind::device, pool.device, bytes, 0, pool.shared_from_this(), memory);
    }
  }
  if (error != cudaSuccess) {
    pool.used -= bytes;
  } else {
    raise(pool.used_high, used);
  }
  return error;
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
    return memory ? cudaSuccess : cudaErrorInvalidValue;
  });
  if (found != cudaSuccess) return found;
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
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
    const auto op = std::make_shared<free_operation>(memory);
    if (!allocation_table::instance().begin_free(memory, memory_kind::device)) {
      return allocation_table::refuse_free(memory);
    }
    if (scheduler::instance().is_idle(*s)) return scheduler::instance().run_here(*s, op);
    scheduler::instance().submit(*s, op);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* made, const cudaMemPoolProps* properties) {
  return device_call([&] {
    if (!made || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    const cudaMemLocation place = properties->location;
    if (place.type != cudaMemLocationTypeDevice || place.id < 0 || place.id >= device_count()) {
      return cudaErrorInvalidValue;
    }
    if (properties->handleTypes != cudaMemHandleTypeNone)
      return cudaErrorNotSupported;  // pools cannot be shared with other processes
    std::lock_guard lock(table().mutex);
    memory_pool* const pool = table().add(place.id, properties->maxSize);
    pool->created = true;
    *made = handle_of(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return pool_call(handle, [](memory_pool& pool) {
    if (!pool.created) return cudaErrorInvalidValue;
    for (size_t i = 0; i < table().current_of.size(); ++i) {
      if (table().current_of[i] == &pool) table().current_of[i] = table().default_of[i];
    }
    table().pools.erase(&pool);
    return cudaSuccess;
  });
}

// Has no effect: a pool keeps no freed memory.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
  return pool_call(handle, [](memory_pool&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* rights, size_t count) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (!rights && count != 0) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {  // all or none
      const cudaMemLocation place = rights[i].location;
      const cudaMemAccessFlags flags = rights[i].flags;
      if (place.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (place.id < 0 || place.id >= device_count()) return cudaErrorInvalidDevice;
      if (flags != cudaMemAccessFlagsProtNone && flags != cudaMemAccessFlagsProtRead &&
          flags != cudaMemAccessFlagsProtReadWrite) {
        return cudaErrorInvalidValue;
      }
      if (place.id == pool.device && flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t bit = uint64_t{1} << rights[i].location.id;
      pool.readers = rights[i].flags != cudaMemAccessFlagsProtNone ? pool.readers | bit : pool.readers & ~bit;
      pool.writers = rights[i].flags == cudaMemAccessFlagsProtReadWrite ? pool.writers | bit : pool.writers & ~bit;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* place) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (!flags || !place || place->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (place->id < 0 || place->id >= device_count()) return cudaErrorInvalidDevice;
    const uint64_t bit = uint64_t{1} << place->id;
    const bool writes = place->id == pool.device || (pool.writers & bit) != 0;
    *flags = writes                      ? cudaMemAccessFlagsProtReadWrite
             : (pool.readers & bit) != 0 ? cudaMemAccessFlagsProtRead
                                         : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        pool.release_threshold = *static_cast<uint64_t*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (*static_cast<uint64_t*>(value) != 0) return cudaErrorInvalidValue;
        pool.used_high = pool.used.load();
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        *static_cast<uint64_t*>(value) = pool.release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        *static_cast<uint64_t*>(value) = pool.used;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        *static_cast<uint64_t*>(value) = pool.used_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return find_pool_of_device(pool, device, &pool_table::default_of);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return find_pool_of_device(pool, device, &pool_table::current_of);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    if (pool.device != device) return cudaErrorInvalidValue;
    table().current_of[static_cast<size_t>(device)] = &pool;
    return cudaSuccess;
  });
}

}  // extern "C"
