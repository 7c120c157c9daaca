// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for texture and surface references, which CUDA deprecates.
#include <algorithm>

#include "runtime/driver/array_formats.hpp"
#include "runtime/driver/function_handle.hpp"
#include "runtime/driver/reference_handles.hpp"
#include "runtime/texture/linear_base.hpp"

namespace cohort::runtime {

namespace {

template <class Body>
CUresult with_texture(CUtexref handle, Body&& body) {
  return context_call([&] { return reference_handles::instance().with(handle, cohort_variable_texture, body); });
}

template <class Body>
CUresult with_surface(CUsurfref handle, Body&& body) {
  return context_call([&] { return reference_handles::instance().with(handle, cohort_variable_surface, body); });
}

// Changes the settings by `change(reference_handle&)` if the values are `valid`.
template <class Change>
CUresult set(CUtexref handle, bool valid, Change&& change) {
  return with_texture(handle, [&](reference_handle& known) {
    if (!valid) return CUDA_ERROR_INVALID_VALUE;
    change(known);
    return rebind_reference(known);
  });
}

// Reads the settings by `read(const reference_handle&)` if the caller has a place for each result.
template <class Read>
CUresult get(CUtexref handle, bool has_places, Read&& read) {
  return with_texture(handle, [&](const reference_handle& known) {
    if (!has_places) return CUDA_ERROR_INVALID_VALUE;
    read(known);
    return CUDA_SUCCESS;
  });
}

template <class Handle>
CUresult find_reference(Handle* found, CUmodule handle, const char* name, uint32_t kind) {
  return context_call([&] {
    if (!found || !name) return CUDA_ERROR_INVALID_VALUE;
    const auto* const module = reinterpret_cast<const cohort_module*>(handle);
    if (!symbol_table::instance().is_module(module)) return CUDA_ERROR_INVALID_HANDLE;
    reference_handle* const known = reference_handles::instance().of_module(*module, name, kind);
    if (known) *found = reinterpret_cast<Handle>(known);
    return known ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

cudaResourceDesc array_resource(CUarray array) {
  cudaResourceDesc made{};
  made.resType = cudaResourceTypeArray;
  made.res.array.array = array_of(array);
  return made;
}

// Binds a texture to an array, whose format becomes the reference's. `first`: the array, or a level of it.
CUresult bind_array(reference_handle& known, const cudaResourceDesc& resource, cudaArray_const_t first,
                    unsigned flags) {
  cudaChannelFormatDesc format;
  if (flags != CU_TRSA_OVERRIDE_FORMAT || cudaGetChannelDesc(&format, first) != cudaSuccess) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  known.format = format;
  return bind_reference(known, resource, 0);
}

bool is_of(const reference_handle& known, cudaResourceType type) {
  return known.is_bound && known.resource.resType == type;
}

bool is_mode(CUaddress_mode mode) { return mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER; }
bool is_mode(CUfilter_mode mode) { return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR; }
bool is_axis(int axis) { return axis >= 0 && axis < 3; }

bool are_equal(const cudaChannelFormatDesc& a, const cudaChannelFormatDesc& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
}

constexpr unsigned texture_flags =
    CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
constexpr unsigned most_anisotropy = 16;

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuModuleGetTexRef(CUtexref* found, CUmodule module, const char* name) {
  return find_reference(found, module, name, cohort_variable_texture);
}

CUresult cuModuleGetSurfRef(CUsurfref* found, CUmodule module, const char* name) {
  return find_reference(found, module, name, cohort_variable_surface);
}

CUresult cuTexRefCreate(CUtexref* made) {
  return context_call([&] {
    if (!made) return CUDA_ERROR_INVALID_VALUE;
    *made = reinterpret_cast<CUtexref>(reference_handles::instance().create());
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefDestroy(CUtexref handle) {
  return context_call([&] {
    const bool was_there = reference_handles::instance().destroy(reinterpret_cast<const reference_handle*>(handle));
    return was_there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

// A kernel reads through the references of its module without this call.
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref handle) {
  return with_texture(handle, [&](const reference_handle& known) {
    if (unit != CU_PARAM_TR_DEFAULT || !known.module) return CUDA_ERROR_INVALID_VALUE;
    return with_function(function, [](auto&) { return CUDA_SUCCESS; });
  });
}

CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned int flags) {
  return with_texture(handle, [&](reference_handle& known) {
    return bind_array(known, array_resource(array), array_of(array), flags);
  });
}

CUresult cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array, unsigned int flags) {
  return with_texture(handle, [&](reference_handle& known) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array_of(array);
    cudaArray_t first = nullptr;
    const cudaError_t error = cudaGetMipmappedArrayLevel(&first, array_of(array), 0);
    return error == cudaSuccess ? bind_array(known, resource, first, flags) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuTexRefSetAddress(size_t* offset, CUtexref handle, CUdeviceptr address, size_t bytes) {
  return with_texture(handle, [&](reference_handle& known) {
    if (!address) return unbind_reference(known);
    const linear_base base = base_of(pointer_of(address));
    if (base.offset != 0 && !offset) return CUDA_ERROR_INVALID_VALUE;
    unsigned channels = 0;
    to_format(known.format, &channels);
    const size_t texel_bytes = size_t{channels} * static_cast<unsigned>(known.format.x) / 8;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {base.first, known.format, linear_bytes(base, bytes, texel_bytes)};
    const CUresult error = bind_reference(known, resource, base.offset);
    if (error == CUDA_SUCCESS && offset) *offset = base.offset;
    return error;
  });
}

CUresult cuTexRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr address, size_t pitch) {
  return with_texture(handle, [&](reference_handle& known) {
    cudaChannelFormatDesc format;
    if (!desc) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = to_channels(desc->Format, desc->NumChannels, &format); error != CUDA_SUCCESS) {
      return error;
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {pointer_of(address), format, desc->Width, desc->Height, pitch};
    const CUresult error = bind_reference(known, resource, 0);
    if (error == CUDA_SUCCESS) known.format = format;
    return error;
  });
}

// The texels of linear memory get the format. An array and a plane of memory keep theirs.
CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  return with_texture(handle, [&](reference_handle& known) {
    cudaChannelFormatDesc desc;
    const CUresult error = to_channels(format, static_cast<unsigned>(channels), &desc);
    if (error != CUDA_SUCCESS) return error;
    const bool keeps_format = known.is_bound && known.resource.resType != cudaResourceTypeLinear;
    if (keeps_format && !are_equal(desc, known.format)) return CUDA_ERROR_INVALID_VALUE;
    known.format = desc;
    if (is_of(known, cudaResourceTypeLinear)) known.resource.res.linear.desc = desc;
    return rebind_reference(known);
  });
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int axis, CUaddress_mode mode) {
  return set(handle, is_axis(axis) && is_mode(mode), [&](reference_handle& known) {
    known.sampler.addressMode[axis] = static_cast<cudaTextureAddressMode>(mode);
  });
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  return set(handle, is_mode(mode),
             [&](reference_handle& known) { known.sampler.filterMode = static_cast<cudaTextureFilterMode>(mode); });
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  return set(handle, is_mode(mode), [&](reference_handle& known) {
    known.sampler.mipmapFilterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
  return set(handle, true, [&](reference_handle& known) { known.sampler.mipmapLevelBias = bias; });
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float lowest, float highest) {
  return set(handle, true, [&](reference_handle& known) {
    known.sampler.minMipmapLevelClamp = lowest;
    known.sampler.maxMipmapLevelClamp = highest;
  });
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned int most) {
  return set(handle, most <= most_anisotropy, [&](reference_handle& known) { known.sampler.maxAnisotropy = most; });
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float* color) {
  return set(handle, color != nullptr,
             [&](reference_handle& known) { std::copy_n(color, 4, known.sampler.borderColor); });
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned int flags) {
  if (flags & CU_TRSF_SEAMLESS_CUBEMAP) return with_texture(handle, [](auto&) { return CUDA_ERROR_NOT_SUPPORTED; });
  return set(handle, (flags & ~texture_flags) == 0, [&](reference_handle& known) {
    cudaTextureDesc& to = known.sampler;
    to.readMode = flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    to.normalizedCoords = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    to.sRGB = (flags & CU_TRSF_SRGB) != 0;
    to.disableTrilinearOptimization = (flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  });
}

CUresult cuTexRefGetAddress(CUdeviceptr* address, CUtexref handle) {
  return with_texture(handle, [&](const reference_handle& known) {
    const bool is_linear = is_of(known, cudaResourceTypeLinear);
    if (!address || (!is_linear && !is_of(known, cudaResourceTypePitch2D))) return CUDA_ERROR_INVALID_VALUE;
    *address = address_of(is_linear ? known.resource.res.linear.devPtr : known.resource.res.pitch2D.devPtr);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetArray(CUarray* array, CUtexref handle) {
  return with_texture(handle, [&](const reference_handle& known) {
    if (!array || !is_of(known, cudaResourceTypeArray)) return CUDA_ERROR_INVALID_VALUE;
    *array = array_of(known.resource.res.array.array);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray* array, CUtexref handle) {
  return with_texture(handle, [&](const reference_handle& known) {
    if (!array || !is_of(known, cudaResourceTypeMipmappedArray)) return CUDA_ERROR_INVALID_VALUE;
    *array = array_of(known.resource.res.mipmap.mipmap);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref handle, int axis) {
  return get(handle, mode && is_axis(axis), [&](const reference_handle& known) {
    *mode = static_cast<CUaddress_mode>(known.sampler.addressMode[axis]);
  });
}

CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref handle) {
  return get(handle, mode != nullptr,
             [&](const reference_handle& known) { *mode = static_cast<CUfilter_mode>(known.sampler.filterMode); });
}

CUresult cuTexRefGetFormat(CUarray_format* format, int* channels, CUtexref handle) {
  return get(handle, format && channels, [&](const reference_handle& known) {
    unsigned count = 0;
    *format = to_format(known.format, &count);
    *channels = static_cast<int>(count);
  });
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode* mode, CUtexref handle) {
  return get(handle, mode != nullptr, [&](const reference_handle& known) {
    *mode = static_cast<CUfilter_mode>(known.sampler.mipmapFilterMode);
  });
}

CUresult cuTexRefGetMipmapLevelBias(float* bias, CUtexref handle) {
  return get(handle, bias != nullptr, [&](const reference_handle& known) { *bias = known.sampler.mipmapLevelBias; });
}

CUresult cuTexRefGetMipmapLevelClamp(float* lowest, float* highest, CUtexref handle) {
  return get(handle, lowest && highest, [&](const reference_handle& known) {
    *lowest = known.sampler.minMipmapLevelClamp;
    *highest = known.sampler.maxMipmapLevelClamp;
  });
}

CUresult cuTexRefGetMaxAnisotropy(int* most, CUtexref handle) {
  return get(handle, most != nullptr,
             [&](const reference_handle& known) { *most = static_cast<int>(known.sampler.maxAnisotropy); });
}

CUresult cuTexRefGetBorderColor(float* color, CUtexref handle) {
  return get(handle, color != nullptr,
             [&](const reference_handle& known) { std::copy_n(known.sampler.borderColor, 4, color); });
}

CUresult cuTexRefGetFlags(unsigned int* flags, CUtexref handle) {
  return get(handle, flags != nullptr, [&](const reference_handle& known) {
    const cudaTextureDesc& from = known.sampler;
    *flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (from.sRGB ? CU_TRSF_SRGB : 0) |
             (from.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0);
  });
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned int flags) {
  return with_surface(handle, [&](reference_handle& known) {
    return flags == 0 ? bind_reference(known, array_resource(array), 0) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuSurfRefGetArray(CUarray* array, CUsurfref handle) {
  return with_surface(handle, [&](const reference_handle& known) {
    if (!array || !known.is_bound) return CUDA_ERROR_INVALID_VALUE;
    *array = array_of(known.resource.res.array.array);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
