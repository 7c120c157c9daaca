// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools that several processes use: cudaMemPoolExportToShareableHandle, cudaMemPoolImportPointer and their neighbours.
//
// The file descriptor of a pool opens the memory of all its allocations; cudaMemPoolPtrExportData names one of them. A
// process that imports a pool allocates nothing from it.
#include <bit>
#include <memory>

#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/async/pool_table.hpp"

namespace cohort::runtime {

namespace {

// The contents of cudaMemPoolPtrExportData.
struct pool_pointer {
  ipc_kind kind{};
  uint32_t unused = 0;
  ipc_key pool;
  ipc_entry entry;
  uint64_t rest = 0;
};
static_assert(sizeof(pool_pointer) == sizeof(cudaMemPoolPtrExportData));

cudaError_t import_pool(int descriptor, cudaMemPool_t* made) {
  std::unique_ptr<pool_file> file = pool_file::open(descriptor);
  if (!file) return cudaErrorInvalidValue;
  if (file->device() < 0 || file->device() >= device_count()) return cudaErrorNotSupported;
  pool_table& table = pool_table::instance();
  const std::lock_guard lock(table.mutex);
  memory_pool* const pool = table.add(file->device(), 0);
  pool->created = true;
  pool->imported = true;
  pool->file = std::move(file);
  *made = handle_of(pool);
  return cudaSuccess;
}

cudaError_t export_pointer(void* memory, pool_pointer* made) {
  allocation known;
  auto& allocations = allocation_table::instance();
  if (!allocations.find(memory, &known) || known.base != memory) return cudaErrorInvalidValue;
  if (known.kind != memory_kind::device || known.being_freed || !known.pool || !known.pool->file) {
    return cudaErrorInvalidValue;
  }
  const std::lock_guard lock(pool_table::instance().mutex);
  const auto entry = known.pool->file->share(known.file_offset, known.bytes);
  if (!entry) return cudaErrorMemoryAllocation;
  if (!allocations.mark_exported(memory)) return cudaErrorInvalidValue;
  *made = {ipc_kind::pointer, 0, known.pool->file->key(), *entry, 0};
  return cudaSuccess;
}

cudaError_t import_pointer(memory_pool& pool, const pool_pointer& data, void** memory) {
  if (!pool.imported || data.kind != ipc_kind::pointer || data.unused != 0 || data.rest != 0) {
    return cudaErrorInvalidValue;
  }
  if (!(data.pool == pool.file->key()) || !pool.file->has(data.entry)) return cudaErrorInvalidValue;
  allocation described;
  described.bytes = data.entry.bytes;
  described.kind = memory_kind::opened;
  described.device = pool.device;
  described.pool = pool.shared_from_this();
  described.exporter = pool.file->process_number();
  const auto& file = *pool.file;
  const cudaError_t error =
      allocation_table::instance().map_file(file.descriptor(), data.entry.offset, described, memory);
  return error == cudaSuccess ? cudaSuccess : cudaErrorMemoryAllocation;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool_handle,
                                               cudaMemAllocationHandleType type, unsigned int flags) {
  return pool_call(pool_handle, [&](memory_pool& pool) {
    if (!handle || flags != 0 || !pool.file || pool.imported) return cudaErrorInvalidValue;
    if (type != cudaMemHandleTypePosixFileDescriptor) return cudaErrorInvalidValue;
    const int descriptor = duplicate_descriptor(pool.file->descriptor());
    if (descriptor < 0) return cudaErrorOperatingSystem;
    *static_cast<int*>(handle) = descriptor;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                                                 unsigned int flags) {
  return device_call([&] {
    if (!pool || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_handle_type(type); error != cudaSuccess) return error;
    if (type == cudaMemHandleTypeNone) return cudaErrorInvalidValue;
    return import_pool(static_cast<int>(reinterpret_cast<intptr_t>(handle)), pool);
  });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* memory) {
  return device_call([&] {
    if (!data || !memory) return cudaErrorInvalidValue;
    pool_pointer made;
    const cudaError_t error = export_pointer(memory, &made);
    if (error == cudaSuccess) *data = std::bit_cast<cudaMemPoolPtrExportData>(made);
    return error;
  });
}

cudaError_t cudaMemPoolImportPointer(void** memory, cudaMemPool_t pool_handle, cudaMemPoolPtrExportData* data) {
  return pool_call(pool_handle, [&](memory_pool& pool) {
    if (!memory || !data) return cudaErrorInvalidValue;
    return import_pointer(pool, std::bit_cast<pool_pointer>(*data), memory);
  });
}

}  // extern "C"
