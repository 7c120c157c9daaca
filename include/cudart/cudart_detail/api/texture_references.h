// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// texture<> and surface<> of CUDA 11, and the calls that bind them. Their namespace leaves the two names to programs:
// the compiler finds them here where nothing else has them (texture_names.cpp).
#pragma once

#include "../../cuda_runtime_api.h"

#include "../../channel_descriptor.h"

namespace cohort_references {

// A variable of the host that each device has a copy of.
template <class T, int S = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  constexpr texture(int norm = 0, cudaTextureFilterMode fMode = cudaFilterModePoint,
                    cudaTextureAddressMode aMode = cudaAddressModeClamp)
      : texture(norm, fMode, aMode, cudaCreateChannelDesc<T>()) {}
  constexpr texture(int norm, cudaTextureFilterMode fMode, cudaTextureAddressMode aMode, cudaChannelFormatDesc desc)
      : textureReference{norm, fMode, {aMode, aMode, aMode}, desc, 0, 0, cudaFilterModePoint, 0, 0, 0, 0, Mode, 0} {}
};

template <class T, int S = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {
  constexpr surface() : surfaceReference{cudaCreateChannelDesc<T>(), 0} {}
};

}  // namespace cohort_references

template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture(size_t* offset, const cohort_references::texture<T, S, Mode>& tex,
                                   const void* devPtr, const cudaChannelFormatDesc& desc, size_t size = 0xffffffff) {
  return cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture(size_t* offset, const cohort_references::texture<T, S, Mode>& tex,
                                   const void* devPtr, size_t size = 0xffffffff) {
  return cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const cohort_references::texture<T, S, Mode>& tex,
                                     const void* devPtr, const cudaChannelFormatDesc& desc, size_t width, size_t height,
                                     size_t pitch) {
  return cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const cohort_references::texture<T, S, Mode>& tex,
                                     const void* devPtr, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const cohort_references::texture<T, S, Mode>& tex, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToArray(&tex, array, &desc);
}
// Binds the texture with the format of the array.
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const cohort_references::texture<T, S, Mode>& tex, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error != cudaSuccess ? error : cudaBindTextureToArray(&tex, array, &desc);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToMipmappedArray(const cohort_references::texture<T, S, Mode>& tex,
                                                   cudaMipmappedArray_const_t mipmappedArray,
                                                   const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToMipmappedArray(const cohort_references::texture<T, S, Mode>& tex,
                                                   cudaMipmappedArray_const_t mipmappedArray) {
  cudaArray_t first;
  cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetMipmappedArrayLevel(&first, mipmappedArray, 0);
  if (error == cudaSuccess) error = cudaGetChannelDesc(&desc, first);
  return error != cudaSuccess ? error : cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaUnbindTexture(const cohort_references::texture<T, S, Mode>& tex) {
  return cudaUnbindTexture(&tex);
}
template <class T, int S, cudaTextureReadMode Mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const cohort_references::texture<T, S, Mode>& tex) {
  return cudaGetTextureAlignmentOffset(offset, &tex);
}
template <class T, int S>
inline cudaError_t cudaBindSurfaceToArray(const cohort_references::surface<T, S>& surf, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class T, int S>
inline cudaError_t cudaBindSurfaceToArray(const cohort_references::surface<T, S>& surf, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error != cudaSuccess ? error : cudaBindSurfaceToArray(&surf, array, &desc);
}
