// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/virtual/memory_handles.hpp"

#include <utility>

#include "runtime/ipc/descriptor_header.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

memory_handles& memory_handles::instance() {
  static memory_handles* const table = new memory_handles;
  return *table;
}

memory_handle memory_handles::retain_locked(const std::shared_ptr<physical_memory>& memory) {
  entry& known = entries_[memory->handle()];
  known.memory = memory;
  ++known.count;
  return memory->handle();
}

cudaError_t memory_handles::create(int device, size_t bytes, bool shareable, memory_handle* handle) {
  const auto made = physical_memory::make(device, bytes, shareable);
  if (!made) return cudaErrorMemoryAllocation;
  const std::lock_guard lock(mutex_);
  if (shareable) shareable_.push_back(made);
  *handle = retain_locked(made);
  return cudaSuccess;
}

std::shared_ptr<physical_memory> memory_handles::find(memory_handle handle) {
  const std::lock_guard lock(mutex_);
  const auto at = entries_.find(handle);
  return at == entries_.end() ? nullptr : at->second.memory;
}

memory_handle memory_handles::retain(const std::shared_ptr<physical_memory>& memory) {
  const std::lock_guard lock(mutex_);
  return retain_locked(memory);
}

bool memory_handles::release(memory_handle handle) {
  std::shared_ptr<physical_memory> last;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto at = entries_.find(handle);
  if (at == entries_.end()) return false;
  if (--at->second.count > 0) return true;
  last = std::move(at->second.memory);
  entries_.erase(at);
  return true;
}

cudaError_t memory_handles::import(int file, memory_handle* handle) {
  descriptor_header header;
  if (!read_header(file, ipc_kind::physical, &header)) return cudaErrorInvalidValue;
  const ipc_entry& contents = header.contents;
  if (contents.offset % physical_granularity != 0 || contents.bytes % physical_granularity != 0) {
    return cudaErrorInvalidValue;
  }
  if (header.device < 0 || header.device >= device_count()) return cudaErrorNotSupported;
  const std::lock_guard lock(mutex_);
  std::erase_if(shareable_, [](const auto& known) { return known.expired(); });
  for (const auto& known : shareable_) {
    const auto memory = known.lock();
    if (!memory || !(memory->key() == contents.key) || memory->bytes() != contents.bytes) continue;
    *handle = retain_locked(memory);
    return cudaSuccess;
  }
  const auto opened = physical_memory::open(file, header);
  if (!opened) return cudaErrorMemoryAllocation;
  shareable_.push_back(opened);
  *handle = retain_locked(opened);
  return cudaSuccess;
}

}  // namespace cohort::runtime
