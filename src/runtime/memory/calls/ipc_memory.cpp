// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory that several processes use: cudaIpcGetMemHandle, cudaIpcOpenMemHandle, cudaIpcCloseMemHandle.
//
// The first export of an allocation moves its pages to a file in memory; allocations that are not exported stay private
// to their process. The error of each misuse is the one that an H100 returns.
#include "runtime/memory/calls/ipc_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "runtime/ipc/shared_file.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

struct opened_memory {
  ipc_key key;
  int device;
  void* base;
  int count;  // number of opens without a close
};

// All memory that this process has opened. Never destroyed.
struct opened_table {
  std::mutex mutex;
  std::vector<opened_memory> all;
};

opened_table& opened() {
  static opened_table* const table = new opened_table;
  return *table;
}

cudaError_t export_memory(void* address, ipc_handle* handle) {
  allocation known;
  auto& allocations = allocation_table::instance();
  if (!allocations.find(address, &known)) return cudaErrorInvalidValue;
  // Memory of a pool is exported only with its pool.
  if (known.kind != memory_kind::device || known.pool || known.being_freed) return cudaErrorInvalidValue;
  bool shared = false;
  // A write of a kernel or a copy must not fall between the copy of the pages and their replacement.
  scheduler::instance().run_alone([&] { shared = process_heap().share({known.base, known.bytes}, handle); });
  if (!shared) return cudaErrorMemoryAllocation;
  if (!allocations.mark_exported(known.base)) return cudaErrorInvalidValue;
  const process_id self = this_process();
  handle->kind = ipc_kind::memory;
  handle->process_number = self.number;
  handle->process_start = self.start;
  return cudaSuccess;
}

cudaError_t open_memory(const ipc_handle& handle, void** memory) {
  if (handle.kind != ipc_kind::memory || handle.entry.bytes == 0) return cudaErrorInvalidValue;
  if (handle.owner() == this_process()) return cudaErrorDeviceUninitialized;
  const int device = current_device().index;
  const std::lock_guard lock(opened().mutex);
  for (opened_memory& known : opened().all) {
    if (known.device != device || !(known.key == handle.entry.key)) continue;
    ++known.count;
    *memory = known.base;
    return cudaSuccess;
  }
  const int file = open_shared_file(handle);
  if (file < 0) return is_alive(handle.owner()) ? cudaErrorNotPermitted : cudaErrorInvalidResourceHandle;
  allocation described;
  described.bytes = handle.entry.bytes;
  described.kind = memory_kind::opened;
  described.device = device;
  described.exporter = handle.process_number;
  const cudaError_t error = allocation_table::instance().map_file(file, handle.entry.offset, described, memory);
  close(file);
  if (error == cudaSuccess) opened().all.push_back({handle.entry.key, device, *memory, 1});
  return error;
}

// Sets `taken` if this was the last close.
cudaError_t close_memory(const void* memory, bool* taken, allocation* last) {
  const std::lock_guard lock(opened().mutex);
  auto& all = opened().all;
  const auto at = std::find_if(all.begin(), all.end(), [&](const opened_memory& o) { return o.base == memory; });
  if (at == all.end()) return cudaErrorInvalidValue;
  if (--at->count > 0) return cudaSuccess;
  all.erase(at);
  const auto is_opened = [](const allocation& a) { return a.kind == memory_kind::opened; };
  *taken = allocation_table::instance().take(memory, is_opened, last);
  return cudaSuccess;
}

}  // namespace

void forget_opened(int device) {
  const std::lock_guard lock(opened().mutex);
  std::erase_if(opened().all, [device](const opened_memory& o) { return o.device == device; });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  return unsafe_call([&] {
    if (!handle || !memory) return cudaErrorInvalidValue;
    ipc_handle made;
    const cudaError_t error = export_memory(memory, &made);
    if (error == cudaSuccess) *handle = std::bit_cast<cudaIpcMemHandle_t>(made);
    return error;
  });
}

cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned int flags) {
  return unsafe_call([&] {
    if (!memory || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
    return open_memory(std::bit_cast<ipc_handle>(handle), memory);
  });
}

cudaError_t cudaIpcCloseMemHandle(void* memory) {
  return unsafe_call([&] {
    allocation last;
    bool taken = false;
    scheduler::instance().wait_for_all_devices();  // any device may still access the memory
    const cudaError_t error = close_memory(memory, &taken, &last);
    if (taken) allocation_table::instance().release(last);
    return error;
  });
}

}  // extern "C"
