// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that devices access: allocated by the runtime, or allocated by the program and registered. Host and
// devices share one memory, so all of it is pinned, mapped and portable, and write combining has no effect.
#include "runtime/memory/allocation_table.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

bool is_host(const allocation& a) { return a.kind == memory_kind::host || a.kind == memory_kind::registered; }

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned int flags) {
  return unsafe_call([&] {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (!memory || (flags & ~known)) return cudaErrorInvalidValue;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    const int device = current_device().index;
    if (bytes > cohort_device_get(device)->memory_bytes) return cudaErrorMemoryAllocation;
    return allocation_table::instance().allocate(memory_kind::host, device, bytes, flags, nullptr, memory);
  });
}

cudaError_t cudaMallocHost(void** memory, size_t bytes) { return cudaHostAlloc(memory, bytes, cudaHostAllocDefault); }

cudaError_t cudaFreeHost(void* memory) {
  return unsafe_call([&] {
    if (!memory) return cudaSuccess;
    allocation known;
    if (!allocation_table::instance().find(memory, &known)) return allocation_table::refuse_free(memory);
    device_state& device = device_at(known.device);
    scheduler::instance().wait_for_all_devices();  // any device may still access the memory
    const auto can_be_freed = [](const allocation& a) { return a.kind == memory_kind::host; };
    if (!allocation_table::instance().take(memory, can_be_freed, &known)) {
      return allocation_table::refuse_free(memory);
    }
    allocation_table::instance().release(known);
    return take_failure(device);
  });
}

cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned int flags) {
  return unsafe_call([&] {
    constexpr unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!memory || bytes == 0 || (flags & ~known)) return cudaErrorInvalidValue;
    allocation entry;
    entry.base = static_cast<char*>(memory);
    entry.bytes = bytes;
    entry.kind = memory_kind::registered;
    entry.device = current_device().index;
    entry.flags = flags;
    return allocation_table::instance().enter(entry);
  });
}

cudaError_t cudaHostUnregister(void* memory) {
  return unsafe_call([&] {
    if (!memory) return cudaErrorInvalidValue;
    allocation known;
    const auto is_registered = [](const allocation& a) { return a.kind == memory_kind::registered; };
    const bool found = allocation_table::instance().take(memory, is_registered, &known);
    return found ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* memory, unsigned int flags) {
  return device_call([&] {
    allocation known;
    if (!device_pointer || flags != 0 || !allocation_table::instance().find(memory, &known) || !is_host(known)) {
      return cudaErrorInvalidValue;
    }
    *device_pointer = memory;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* memory) {
  return device_call([&] {
    allocation known;
    if (!flags || !allocation_table::instance().find(memory, &known) || !is_host(known)) return cudaErrorInvalidValue;
    // The memory is mapped even without the flag.
    *flags = known.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

}  // extern "C"
