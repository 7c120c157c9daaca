// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that allocate, free and describe CUDA arrays.
#include "runtime/memory/array/array.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

cudaError_t make_array(cudaArray_t* array, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
                       unsigned flags) {
  return unsafe_call([&] {
    if (!array || !desc) return cudaErrorInvalidValue;
    return array_table::instance().make(*desc, extent, flags, current_device().index, array);
  });
}

// Frees an array after all work submitted before the call, which may still use it.
template <class Array>
cudaError_t free_array(Array array, int device) {
  device_state& owner = device_at(device);
  scheduler::instance().wait_for_device(owner);
  return array_table::instance().release(array) ? take_failure(owner) : cudaErrorInvalidValue;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width, size_t height,
                            unsigned flags) {
  return make_array(array, desc, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  return make_array(array, desc, extent, flags);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return unsafe_call([&] {
    if (!array || !desc) return cudaErrorInvalidValue;
    return array_table::instance().make(*desc, extent, levels, flags, current_device().index, array);
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array, unsigned level) {
  return host_call([&] {
    const cudaMipmappedArray* const known = array_table::instance().find(array);
    if (!level_array || !known || level >= known->levels.size()) return cudaErrorInvalidValue;
    *level_array = const_cast<cudaArray_t>(&known->levels[level]);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return unsafe_call([&] {
    if (!array) return cudaSuccess;
    const cudaArray* const known = array_table::instance().find(array);
    return known && !known->owner ? free_array(array, known->device) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return unsafe_call([&] {
    if (!array) return cudaSuccess;
    const cudaMipmappedArray* const known = array_table::instance().find(array);
    return known ? free_array(array, known->levels.front().device) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return host_call([&] {
    const cudaArray* const known = array_table::instance().find(array);
    if (!known) return cudaErrorInvalidValue;
    if (desc) *desc = known->desc;
    if (extent) *extent = known->extent;
    if (flags) *flags = known->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return host_call([&] {
    const cudaArray* const known = array_table::instance().find(array);
    if (!desc || !known) return cudaErrorInvalidValue;
    *desc = known->desc;
    return cudaSuccess;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// No array has planes, tiles or memory that is mapped later: cudaMallocArray refuses the flags and formats of such
// arrays. The calls answer as CUDA does for all other arrays.

cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t array, unsigned int) {
  return host_call(
      [&] { return array_table::instance().find(array) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t, int) {
  return host_call([] { return cudaErrorInvalidValue; });
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaMipmappedArray_t, int) {
  return host_call([] { return cudaErrorInvalidValue; });
}

cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t) {
  return host_call([] { return cudaErrorInvalidValue; });
}

cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*, cudaMipmappedArray_t) {
  return host_call([] { return cudaErrorInvalidValue; });
}

}  // extern "C"
