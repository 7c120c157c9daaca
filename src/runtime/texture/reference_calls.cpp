// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that bind texture and surface references.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "runtime/memory/array/array.hpp"
#include "runtime/memory/array/array_limits.hpp"
#include "runtime/memory/array/texel_format.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/texture/linear_base.hpp"
#include "runtime/texture/reference_table.hpp"

namespace cohort::runtime {

namespace {

cudaTextureDesc sampler_of(const textureReference& reference) {
  cudaTextureDesc made{};
  std::copy_n(reference.addressMode, 3, made.addressMode);
  made.filterMode = reference.filterMode;
  made.readMode = reference.cohort_read_mode;
  made.sRGB = reference.sRGB;
  made.normalizedCoords = reference.normalized;
  made.maxAnisotropy = reference.maxAnisotropy;
  made.mipmapFilterMode = reference.mipmapFilterMode;
  made.mipmapLevelBias = reference.mipmapLevelBias;
  made.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  made.disableTrilinearOptimization = reference.disableTrilinearOptimization;
  return made;
}

cudaError_t bind(const textureReference* reference, const cudaResourceDesc& resource, size_t offset) {
  variable copy;
  const cudaError_t error = reference_table::find_texture(reference, &copy);
  if (error != cudaSuccess) return error;
  return reference_table::instance().bind_texture(copy, resource, sampler_of(*reference), offset);
}

// The format is the array's. A program may name another one of equal size, such as that of its own vector type.
cudaError_t check_size(const texel_format& format, const cudaChannelFormatDesc* desc) {
  texel_format named;
  if (!desc) return cudaErrorInvalidValue;
  const cudaError_t error = to_texel_format(*desc, &named);
  if (error != cudaSuccess) return error;
  return named.bytes() == format.bytes() ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

// Calls `body(const linear_base&, size_t texel_bytes)` for the base of a texture over linear memory. CUDA refuses
// memory that begins between two multiples of the alignment, unless the program receives the offset.
template <class Body>
cudaError_t bind_memory(size_t* offset, const void* memory, const cudaChannelFormatDesc* desc, Body&& body) {
  return unsafe_call([&] {
    texel_format format;
    if (!desc || !memory) return cudaErrorInvalidValue;
    if (const cudaError_t error = to_texel_format(*desc, &format); error != cudaSuccess) return error;
    const linear_base base = base_of(memory);
    if (base.offset != 0 && !offset) return cudaErrorInvalidValue;
    const cudaError_t error = body(base, format.bytes());
    if (error == cudaSuccess && offset) *offset = base.offset;
    return error;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                            const cudaChannelFormatDesc* desc, size_t bytes) {
  return bind_memory(offset, memory, desc, [&](const linear_base& base, size_t texel_bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {base.first, *desc, linear_bytes(base, bytes, texel_bytes)};
    return bind(reference, resource, base.offset);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
  return bind_memory(offset, memory, desc, [&](const linear_base& base, size_t texel_bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {base.first, *desc, pitched_width(base, width, pitch, texel_bytes), height, pitch};
    return bind(reference, resource, base.offset);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc) {
  return unsafe_call([&] {
    const cudaArray* const known = array_table::instance().find(array);
    if (!known) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_size(known->format, desc); error != cudaSuccess) return error;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return bind(reference, resource, 0);
  });
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc* desc) {
  return unsafe_call([&] {
    const cudaMipmappedArray* const known = array_table::instance().find(array);
    if (!known) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_size(known->levels.front().format, desc); error != cudaSuccess) return error;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
    return bind(reference, resource, 0);
  });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return unsafe_call([&] {
    variable copy;
    const cudaError_t error = reference_table::find_texture(reference, &copy);
    return error != cudaSuccess ? error : reference_table::instance().unbind(copy);
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return device_call([&] {
    variable copy;
    if (!offset) return cudaErrorInvalidValue;
    if (const cudaError_t error = reference_table::find_texture(reference, &copy); error != cudaSuccess) return error;
    const std::optional<size_t> known = reference_table::instance().offset_of(copy);
    if (known) *offset = *known;
    return known ? cudaSuccess : cudaErrorInvalidTextureBinding;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return device_call([&] {
    variable copy;
    if (!reference) return cudaErrorInvalidValue;
    const cudaError_t error = reference_table::find_texture(symbol, &copy);
    if (error == cudaSuccess) *reference = static_cast<const textureReference*>(symbol);
    return error;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc) {
  return unsafe_call([&] {
    const cudaArray* const known = array_table::instance().find(array);
    if (!known) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_size(known->format, desc); error != cudaSuccess) return error;
    variable copy;
    if (const cudaError_t error = reference_table::find_surface(reference, &copy); error != cudaSuccess) return error;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return reference_table::instance().bind_surface(copy, resource);
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return device_call([&] {
    variable copy;
    if (!reference) return cudaErrorInvalidValue;
    const cudaError_t error = reference_table::find_surface(symbol, &copy);
    if (error == cudaSuccess) *reference = static_cast<const surfaceReference*>(symbol);
    return error;
  });
}

}  // extern "C"
