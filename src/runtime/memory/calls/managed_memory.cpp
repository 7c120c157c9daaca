// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory. Host and device share one memory, so advice and prefetching only change what the program can read
// back.
#include "runtime/memory/calls/managed_memory.hpp"

#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/calls/managed_ranges.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

bool is_managed(const void* memory, size_t bytes) {
  allocation known;
  if (allocation_table::instance().find(memory, &known)) {
    return known.kind == memory_kind::managed && known.contains(memory, bytes);
  }
  variable v;
  if (!symbol_table::instance().find_variable_around(memory, &v) || !(v.flags & cohort_variable_managed)) return false;
  return bytes <= v.bytes - static_cast<size_t>(static_cast<const char*>(memory) - static_cast<char*>(v.address));
}

namespace {

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

void change(range_advice& part, cudaMemoryAdvise advice, cudaMemLocation location) {
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      part.read_mostly = advice == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      part.preferred = location;
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      part.preferred = {};
      break;
    case cudaMemAdviseSetAccessedBy:
      part.accessed_by.insert(device);
      break;
    case cudaMemAdviseUnsetAccessedBy:
      part.accessed_by.erase(device);
      break;
  }
}

void note_prefetch(const void* memory, size_t bytes, cudaMemLocation location) {
  managed_ranges::instance().update(memory, bytes, [&](range_advice& part) { part.last_prefetch = location; });
}

// The ranges of a batch, and their locations if it has some.
struct managed_batch {
  void** memory;
  size_t* sizes;
  size_t count;
  cudaMemLocation* locations = nullptr;
  size_t* first = nullptr;  // index of the first range of each location
  size_t location_count = 0;
};

bool is_batch(const managed_batch& b, unsigned long long flags, const stream& s) {
  if (!b.memory || !b.sizes || b.count == 0 || flags != 0 || s.is_legacy) return false;
  for (size_t i = 0; i < b.count; ++i) {
    if (b.sizes[i] == 0 || !is_managed(b.memory[i], b.sizes[i])) return false;
  }
  return true;
}

// The first location is for range 0, and each later one for a later range.
cudaError_t check_locations(const managed_batch& b) {
  if (!b.locations || !b.first || b.location_count == 0 || b.location_count > b.count) return cudaErrorInvalidValue;
  for (size_t i = 0; i < b.location_count; ++i) {
    if (i == 0 ? b.first[i] != 0 : b.first[i] <= b.first[i - 1] || b.first[i] >= b.count) return cudaErrorInvalidValue;
    if (!is_place(b.locations[i])) return cudaErrorInvalidDevice;
  }
  return cudaSuccess;
}

cudaError_t prefetch(const managed_batch& b, unsigned long long flags, cudaStream_t handle) {
  return device_call([&] {
    stream* s = nullptr;
    cudaError_t error = find_stream(handle, &s);
    if (error == cudaSuccess) error = is_batch(b, flags, *s) ? check_locations(b) : cudaErrorInvalidValue;
    if (error != cudaSuccess) return error;
    for (size_t i = 0, at = 0; i < b.count; ++i) {
      if (at + 1 < b.location_count && b.first[at + 1] == i) ++at;
      note_prefetch(b.memory[i], b.sizes[i], b.locations[at]);
    }
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned int flags) {
  return unsafe_call([&] {
    if (!memory || bytes == 0) return cudaErrorInvalidValue;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    const cudaError_t error = allocation_table::instance().allocate(memory_kind::managed, current_device().index, bytes,
                                                                    flags, nullptr, memory);
    if (error == cudaSuccess) managed_ranges::instance().clear(*memory, bytes);
    return error;
  });
}

cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return device_call([&] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    const bool uses_place = advice >= cudaMemAdviseSetPreferredLocation;
    const bool needs_place = uses_place && advice != cudaMemAdviseUnsetPreferredLocation;
    if (needs_place && !is_place(location)) return cudaErrorInvalidDevice;
    if (bytes == 0 || !is_managed(memory, bytes)) return cudaErrorInvalidValue;
    managed_ranges::instance().update(memory, bytes, [&](range_advice& part) { change(part, advice, location); });
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t handle) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    if (flags != 0) return cudaErrorInvalidValue;
    if (!is_place(location)) return cudaErrorInvalidDevice;
    if (bytes == 0 || !is_managed(memory, bytes)) return cudaErrorInvalidValue;
    note_prefetch(memory, bytes, location);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchBatchAsync(void** memory, size_t* sizes, size_t count, cudaMemLocation* locations,
                                      size_t* first, size_t location_count, unsigned long long flags,
                                      cudaStream_t stream) {
  return prefetch({memory, sizes, count, locations, first, location_count}, flags, stream);
}

// Discarded memory keeps its bytes, which a program must not read before it writes them.
cudaError_t cudaMemDiscardBatchAsync(void** memory, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t handle) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    if (error != cudaSuccess) return error;
    return is_batch({memory, sizes, count}, flags, *s) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** memory, size_t* sizes, size_t count, cudaMemLocation* locations,
                                                size_t* first, size_t location_count, unsigned long long flags,
                                                cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(memory, sizes, count, locations, first, location_count, flags, stream);
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
