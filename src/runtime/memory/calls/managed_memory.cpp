// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory. Host and device share one memory, so advice and prefetching have no effect: the calls only check
// their arguments.
#include "runtime/memory/allocation_table.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

bool is_managed(const void* memory, size_t bytes) {
  allocation known;
  if (allocation_table::instance().find(memory, &known)) {
    return known.kind == memory_kind::managed && known.contains(memory, bytes);
  }
  variable v;
  if (!symbol_table::instance().find_variable_around(memory, &v) || !(v.flags & cohort_variable_managed)) return false;
  return bytes <= v.bytes - static_cast<size_t>(static_cast<const char*>(memory) - static_cast<char*>(v.address));
}

bool is_place(cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id >= 0 && location.id < device_count();
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return true;
    default:
      return false;
  }
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned int flags) {
  return unsafe_call([&] {
    if (!memory || bytes == 0) return cudaErrorInvalidValue;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocation_table::instance().allocate(memory_kind::managed, current_device().index, bytes, flags, nullptr,
                                                 memory);
  });
}

cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return device_call([&] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    const bool uses_place = advice >= cudaMemAdviseSetPreferredLocation;
    const bool needs_place = uses_place && advice != cudaMemAdviseUnsetPreferredLocation;
    if (needs_place && !is_place(location)) return cudaErrorInvalidDevice;
    return bytes > 0 && is_managed(memory, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t handle) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    if (flags != 0) return cudaErrorInvalidValue;
    if (!is_place(location)) return cudaErrorInvalidDevice;
    return bytes > 0 && is_managed(memory, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* memory, size_t bytes, unsigned int flags) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    return known && is_managed(memory, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
