// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory, by the runtime API's calls. The locations of both APIs have one layout.
#include <bit>

#include "runtime/driver/call.hpp"

namespace {

cudaMemLocation location_of(CUmemLocation location) { return std::bit_cast<cudaMemLocation>(location); }
cudaMemLocation* locations_of(CUmemLocation* list) { return reinterpret_cast<cudaMemLocation*>(list); }
void** pointers_of(CUdeviceptr* list) { return reinterpret_cast<void**>(list); }

}  // namespace

using namespace cohort::runtime;

extern "C" {

CUresult cuMemAdvise_v2(CUdeviceptr memory, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return runtime_call([&] {
    return cudaMemAdvise(pointer_of(memory), bytes, static_cast<cudaMemoryAdvise>(advice), location_of(location));
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr memory, size_t bytes, CUmemLocation location, unsigned int flags,
                               CUstream stream) {
  return runtime_call(
      [&] { return cudaMemPrefetchAsync(pointer_of(memory), bytes, location_of(location), flags, stream); });
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* memory, size_t* sizes, size_t count, CUmemLocation* locations,
                                 size_t* first, size_t location_count, unsigned long long flags, CUstream stream) {
  return runtime_call([&] {
    return cudaMemPrefetchBatchAsync(pointers_of(memory), sizes, count, locations_of(locations), first, location_count,
                                     flags, stream);
  });
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr* memory, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream) {
  return runtime_call([&] { return cudaMemDiscardBatchAsync(pointers_of(memory), sizes, count, flags, stream); });
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* memory, size_t* sizes, size_t count, CUmemLocation* locations,
                                           size_t* first, size_t location_count, unsigned long long flags,
                                           CUstream stream) {
  return runtime_call([&] {
    return cudaMemDiscardAndPrefetchBatchAsync(pointers_of(memory), sizes, count, locations_of(locations), first,
                                               location_count, flags, stream);
  });
}

CUresult cuMemRangeGetAttribute(void* data, size_t size, CUmem_range_attribute attribute, CUdeviceptr memory,
                                size_t bytes) {
  return runtime_call([&] {
    return cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(attribute), pointer_of(memory),
                                    bytes);
  });
}

CUresult cuMemRangeGetAttributes(void** data, size_t* sizes, CUmem_range_attribute* attributes, size_t count,
                                 CUdeviceptr memory, size_t bytes) {
  return runtime_call([&] {
    return cudaMemRangeGetAttributes(data, sizes, reinterpret_cast<cudaMemRangeAttribute*>(attributes), count,
                                     pointer_of(memory), bytes);
  });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr memory, size_t bytes, unsigned int flags) {
  return runtime_call([&] { return cudaStreamAttachMemAsync(stream, pointer_of(memory), bytes, flags); });
}

}  // extern "C"
