// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for arrays, and copies of their bytes.
#include "runtime/driver/array_formats.hpp"
#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

// Flags that only the driver API has. All other flags have equal numbers in both APIs.
constexpr unsigned driver_only_flags = CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;

// Calls `create(desc, extent, flags)`, a call of the runtime API, in the current context.
template <class Create>
CUresult create_array(const CUDA_ARRAY3D_DESCRIPTOR* described, Create&& create) {
  return context_call([&] {
    if (!described) return CUDA_ERROR_INVALID_VALUE;
    if (described->Flags & driver_only_flags) return CUDA_ERROR_NOT_SUPPORTED;
    cudaChannelFormatDesc desc{};
    const CUresult error = to_channels(described->Format, described->NumChannels, &desc);
    if (error != CUDA_SUCCESS) return error;
    const cudaExtent extent{described->Width, described->Height, described->Depth};
    return to_result(create(desc, extent, described->Flags));
  });
}

// The result of a call that frees an array.
CUresult freed(cudaError_t error) {
  return error == cudaErrorInvalidValue ? CUDA_ERROR_INVALID_HANDLE : to_result(error);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* described) {
  return create_array(described, [&](const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned flags) {
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &desc, extent, flags);
  });
}

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* described) {
  if (!described) return cuArray3DCreate(array, nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR plane{described->Width,  described->Height,      0,
                                      described->Format, described->NumChannels, 0};
  return cuArray3DCreate(array, &plane);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* described, CUarray array) {
  return context_call([&] {
    cudaChannelFormatDesc desc{};
    cudaExtent extent{};
    unsigned flags = 0, channels = 0;
    if (!described) return CUDA_ERROR_INVALID_VALUE;
    if (cudaArrayGetInfo(&desc, &extent, &flags, array_of(array)) != cudaSuccess) return CUDA_ERROR_INVALID_HANDLE;
    const CUarray_format format = to_format(desc, &channels);
    *described = {extent.width, extent.height, extent.depth, format, channels, flags};
    return CUDA_SUCCESS;
  });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* described, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR volume{};
  const CUresult error = cuArray3DGetDescriptor(described ? &volume : nullptr, array);
  if (error == CUDA_SUCCESS) *described = {volume.Width, volume.Height, volume.Format, volume.NumChannels};
  return error;
}

CUresult cuArrayDestroy(CUarray array) {
  return context_call([&] { return array ? freed(cudaFreeArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE; });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* described, unsigned levels) {
  return create_array(described, [&](const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned flags) {
    return cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &desc, extent, levels, flags);
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level_array, CUmipmappedArray array, unsigned level) {
  return runtime_call(
      [&] { return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level_array), array_of(array), level); });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return context_call(
      [&] { return array ? freed(cudaFreeMipmappedArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE; });
}

CUresult cuArrayGetPlane(CUarray* plane, CUarray array, unsigned index) {
  return runtime_call([&] { return cudaArrayGetPlane(reinterpret_cast<cudaArray_t*>(plane), array_of(array), index); });
}

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray array, CUdevice device) {
  return runtime_call([&] { return cudaArrayGetMemoryRequirements(nullptr, array_of(array), device); });
}

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray array,
                                               CUdevice device) {
  return runtime_call([&] { return cudaMipmappedArrayGetMemoryRequirements(nullptr, array_of(array), device); });
}

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray array) {
  return runtime_call([&] { return cudaArrayGetSparseProperties(nullptr, array_of(array)); });
}

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray array) {
  return runtime_call([&] { return cudaMipmappedArrayGetSparseProperties(nullptr, array_of(array)); });
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  return runtime_call([&] { return cudaMemcpyToArray(array_of(to), offset, 0, from, bytes, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return runtime_call(
      [&] { return cudaMemcpyToArray(array_of(to), offset, 0, pointer_of(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  return runtime_call(
      [&] { return cudaMemcpyFromArray(to, array_of(from), offset, 0, bytes, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return runtime_call(
      [&] { return cudaMemcpyFromArray(pointer_of(to), array_of(from), offset, 0, bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return runtime_call([&] {
    return cudaMemcpyArrayToArray(array_of(to), to_offset, 0, array_of(from), from_offset, 0, bytes,
                                  cudaMemcpyDeviceToDevice);
  });
}

// Per-thread forms (_ptds) of copies for which the driver API has no call with a stream argument.
CUresult cuMemcpyDtoA_ptds(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return runtime_call([&] {
    return cudaMemcpyToArrayAsync(array_of(to), offset, 0, pointer_of(from), bytes, cudaMemcpyDeviceToDevice,
                                  cudaStreamPerThread);
  });
}

CUresult cuMemcpyAtoD_ptds(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return runtime_call([&] {
    return cudaMemcpyFromArrayAsync(pointer_of(to), array_of(from), offset, 0, bytes, cudaMemcpyDeviceToDevice,
                                    cudaStreamPerThread);
  });
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                        size_t from_y, size_t bytes, cudaMemcpyKind kind);

CUresult cuMemcpyAtoA_ptds(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return runtime_call([&] {
    return cudaMemcpyArrayToArray_ptds(array_of(to), to_offset, 0, array_of(from), from_offset, 0, bytes,
                                       cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpyToArrayAsync(array_of(to), offset, 0, from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpyFromArrayAsync(to, array_of(from), offset, 0, bytes, cudaMemcpyDeviceToHost, stream); });
}

}  // extern "C"
