// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of memory pools: cudaMemPoolCreate and its neighbours, cudaDeviceSetMemPool.
#include <memory>
#include <utility>

#include "runtime/memory/async/pool_table.hpp"

namespace cohort::runtime {

namespace {

// Writes the pool of `device` from one of the table's lists.
cudaError_t find_pool_of_device(cudaMemPool_t* pool, int device, std::vector<memory_pool*> pool_table::* by_device) {
  return device_call([&] {
    if (!pool) return cudaErrorInvalidValue;
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    pool_table& table = pool_table::instance();
    std::lock_guard lock(table.mutex);
    table.prepare();
    *pool = handle_of((table.*by_device)[static_cast<size_t>(device)]);
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemPoolCreate(cudaMemPool_t* made, const cudaMemPoolProps* properties) {
  return device_call([&] {
    if (!made || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    const cudaMemLocation place = properties->location;
    if (place.type != cudaMemLocationTypeDevice || place.id < 0 || place.id >= device_count()) {
      return cudaErrorInvalidValue;
    }
    if (const cudaError_t error = check_handle_type(properties->handleTypes); error != cudaSuccess) return error;
    std::unique_ptr<pool_file> file;
    if (properties->handleTypes == cudaMemHandleTypePosixFileDescriptor) {
      const size_t device_bytes = cohort_device_get(place.id)->memory_bytes;
      const bool is_limited = properties->maxSize != 0 && properties->maxSize < device_bytes;
      file = pool_file::make(place.id, is_limited ? properties->maxSize : device_bytes);
      if (!file) return cudaErrorMemoryAllocation;
    }
    pool_table& table = pool_table::instance();
    std::lock_guard lock(table.mutex);
    memory_pool* const pool = table.add(place.id, properties->maxSize);
    pool->created = true;
    pool->file = std::move(file);
    *made = handle_of(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return pool_call(handle, [](memory_pool& pool) {
    if (!pool.created) return cudaErrorInvalidValue;
    pool_table& table = pool_table::instance();
    for (size_t i = 0; i < table.current_of.size(); ++i) {
      if (table.current_of[i] == &pool) table.current_of[i] = table.default_of[i];
    }
    table.pools.erase(&pool);
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
    for (size_t i = 0; i < count; ++i) {  // all rights are checked before one is changed
      const cudaMemLocation place = rights[i].location;
      const cudaMemAccessFlags flags = rights[i].flags;
      if (place.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (place.id < 0 || place.id >= device_count()) return cudaErrorInvalidDevice;
      if (!is_right(flags)) return cudaErrorInvalidValue;
      if (place.id == pool.device && flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i) pool.rights.change(rights[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* place) {
  return pool_call(handle, [&](memory_pool& pool) {
    if (!flags || !place || place->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (place->id < 0 || place->id >= device_count()) return cudaErrorInvalidDevice;
    *flags = place->id == pool.device ? cudaMemAccessFlagsProtReadWrite : pool.rights.of(place->id);
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
    if (pool.device != device || pool.imported) return cudaErrorInvalidValue;
    pool_table::instance().current_of[static_cast<size_t>(device)] = &pool;
    return cudaSuccess;
  });
}

}  // extern "C"
