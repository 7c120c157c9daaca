// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for texture and surface objects.
#include <algorithm>
#include <iterator>

#include "runtime/driver/array_formats.hpp"
#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

CUresult to_runtime(const CUDA_RESOURCE_DESC& from, cudaResourceDesc* made) {
  *made = {};
  if (from.flags != 0) return CUDA_ERROR_INVALID_VALUE;
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      made->resType = cudaResourceTypeArray;
      made->res.array.array = array_of(from.res.array.hArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      made->resType = cudaResourceTypeMipmappedArray;
      made->res.mipmap.mipmap = array_of(from.res.mipmap.hMipmappedArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
      made->resType = cudaResourceTypeLinear;
      made->res.linear.devPtr = pointer_of(from.res.linear.devPtr);
      made->res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      return to_channels(from.res.linear.format, from.res.linear.numChannels, &made->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
      made->resType = cudaResourceTypePitch2D;
      made->res.pitch2D.devPtr = pointer_of(from.res.pitch2D.devPtr);
      made->res.pitch2D.width = from.res.pitch2D.width;
      made->res.pitch2D.height = from.res.pitch2D.height;
      made->res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return to_channels(from.res.pitch2D.format, from.res.pitch2D.numChannels, &made->res.pitch2D.desc);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_RESOURCE_DESC to_driver(const cudaResourceDesc& from) {
  CUDA_RESOURCE_DESC made{};
  made.resType = static_cast<CUresourcetype>(from.resType);
  unsigned channels = 0;
  switch (from.resType) {
    case cudaResourceTypeArray:
      made.res.array.hArray = array_of(from.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      made.res.mipmap.hMipmappedArray = array_of(from.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear: {
      const CUarray_format format = to_format(from.res.linear.desc, &channels);
      made.res.linear = {address_of(from.res.linear.devPtr), format, channels, from.res.linear.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& plane = from.res.pitch2D;
      const CUarray_format format = to_format(plane.desc, &channels);
      made.res.pitch2D = {address_of(plane.devPtr), format, channels, plane.width, plane.height, plane.pitchInBytes};
      break;
    }
  }
  return made;
}

cudaTextureDesc to_runtime(const CUDA_TEXTURE_DESC& from) {
  cudaTextureDesc made{};
  const auto address = [](CUaddress_mode mode) { return static_cast<cudaTextureAddressMode>(mode); };
  std::transform(std::begin(from.addressMode), std::end(from.addressMode), made.addressMode, address);
  std::copy(std::begin(from.borderColor), std::end(from.borderColor), made.borderColor);
  made.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  made.readMode = from.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  made.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  made.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  made.disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  made.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  made.maxAnisotropy = from.maxAnisotropy;
  made.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  made.mipmapLevelBias = from.mipmapLevelBias;
  made.minMipmapLevelClamp = from.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return made;
}

CUDA_TEXTURE_DESC to_driver(const cudaTextureDesc& from) {
  CUDA_TEXTURE_DESC made{};
  const auto address = [](cudaTextureAddressMode mode) { return static_cast<CUaddress_mode>(mode); };
  std::transform(std::begin(from.addressMode), std::end(from.addressMode), made.addressMode, address);
  std::copy(std::begin(from.borderColor), std::end(from.borderColor), made.borderColor);
  made.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  if (from.readMode == cudaReadModeElementType) made.flags |= CU_TRSF_READ_AS_INTEGER;
  if (from.normalizedCoords) made.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (from.sRGB) made.flags |= CU_TRSF_SRGB;
  if (from.disableTrilinearOptimization) made.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  if (from.seamlessCubemap) made.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  made.maxAnisotropy = from.maxAnisotropy;
  made.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  made.mipmapLevelBias = from.mipmapLevelBias;
  made.minMipmapLevelClamp = from.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return made;
}

// Converts a resource view between both APIs, whose structures differ in the types and names of members only.
template <class To, class Format, class From>
To view_of(const From& from) {
  To made{};
  made.format = static_cast<Format>(from.format);
  made.width = from.width;
  made.height = from.height;
  made.depth = from.depth;
  made.firstMipmapLevel = from.firstMipmapLevel;
  made.lastMipmapLevel = from.lastMipmapLevel;
  made.firstLayer = from.firstLayer;
  made.lastLayer = from.lastLayer;
  return made;
}

// Calls `read(From*)`, a call of the runtime API, and converts what it writes.
template <class From, class To, class Read, class Convert>
CUresult read_description(To* made, Read&& read, Convert&& convert) {
  return context_call([&] {
    From from{};
    if (!made) return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = to_result(read(&from));
    if (error == CUDA_SUCCESS) *made = convert(from);
    return error;
  });
}

CUDA_RESOURCE_DESC resource_of(const cudaResourceDesc& from) { return to_driver(from); }

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* sampler,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return context_call([&] {
    if (!resource || !sampler) return CUDA_ERROR_INVALID_VALUE;
    cudaResourceDesc made{};
    const CUresult error = to_runtime(*resource, &made);
    if (error != CUDA_SUCCESS) return error;
    const cudaTextureDesc desc = to_runtime(*sampler);
    cudaResourceViewDesc narrowed{};
    if (view) narrowed = view_of<cudaResourceViewDesc, cudaResourceViewFormat>(*view);
    return to_result(cudaCreateTextureObject(object, &made, &desc, view ? &narrowed : nullptr));
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return runtime_call([&] { return cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  return read_description<cudaResourceDesc>(
      resource, [&](cudaResourceDesc* from) { return cudaGetTextureObjectResourceDesc(from, object); }, resource_of);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* sampler, CUtexObject object) {
  return read_description<cudaTextureDesc>(
      sampler, [&](cudaTextureDesc* from) { return cudaGetTextureObjectTextureDesc(from, object); },
      [](const cudaTextureDesc& from) { return to_driver(from); });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
  return read_description<cudaResourceViewDesc>(
      view, [&](cudaResourceViewDesc* from) { return cudaGetTextureObjectResourceViewDesc(from, object); },
      [](const cudaResourceViewDesc& from) { return view_of<CUDA_RESOURCE_VIEW_DESC, CUresourceViewFormat>(from); });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return context_call([&] {
    cudaResourceDesc made{};
    const CUresult error = resource ? to_runtime(*resource, &made) : CUDA_ERROR_INVALID_VALUE;
    return error != CUDA_SUCCESS ? error : to_result(cudaCreateSurfaceObject(object, &made));
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return runtime_call([&] { return cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return read_description<cudaResourceDesc>(
      resource, [&](cudaResourceDesc* from) { return cudaGetSurfaceObjectResourceDesc(from, object); }, resource_of);
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned channels, CUdevice device) {
  return on_device_call(device, [&] {
    cudaChannelFormatDesc desc{};
    const CUresult error = to_channels(format, channels, &desc);
    return error != CUDA_SUCCESS ? error : to_result(cudaDeviceGetTexture1DLinearMaxWidth(width, &desc, device));
  });
}

}  // extern "C"
