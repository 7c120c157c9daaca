// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/texture/texture_content.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "runtime/memory/array/array.hpp"
#include "runtime/memory/array/array_limits.hpp"

namespace cohort::runtime {

namespace {

// The images of a resource, and how kernels number their texels.
struct resource_images {
  texel_format format;
  unsigned levels = 0;
  cohort_image_level level[COHORT_TEXTURE_LEVELS];
  unsigned flags = 0;  // the array's flags
  bool is_mipmapped = false;
  bool is_linear_memory = false;
};

cohort_image_level level_of(const cudaArray& array) {
  const cudaExtent texels = texels_of(array.extent);
  return {array.first,
          array.pitch(),
          array.slice(),
          static_cast<int32_t>(texels.width),
          static_cast<int32_t>(texels.height),
          static_cast<int32_t>(texels.depth),
          0};
}

cudaError_t find_array(const cudaResourceDesc& resource, resource_images* images) {
  const cudaArray* const array = array_table::instance().find(resource.res.array.array);
  if (!array) return cudaErrorInvalidValue;
  images->format = array->format;
  images->flags = array->flags;
  images->levels = 1;
  images->level[0] = level_of(*array);
  return cudaSuccess;
}

cudaError_t find_mipmapped(const cudaResourceDesc& resource, resource_images* images) {
  const cudaMipmappedArray* const array = array_table::instance().find(resource.res.mipmap.mipmap);
  if (!array) return cudaErrorInvalidValue;
  images->format = array->levels.front().format;
  images->flags = array->levels.front().flags;
  images->is_mipmapped = true;
  for (const cudaArray& level : array->levels) images->level[images->levels++] = level_of(level);
  return cudaSuccess;
}

bool is_aligned(const void* memory, size_t alignment) { return reinterpret_cast<uintptr_t>(memory) % alignment == 0; }

cudaError_t find_linear(const cudaResourceDesc& resource, resource_images* images) {
  const auto& linear = resource.res.linear;
  if (const cudaError_t error = to_texel_format(linear.desc, &images->format); error != cudaSuccess) return error;
  const size_t width = linear.sizeInBytes / images->format.bytes();
  if (!linear.devPtr || width == 0 || width > texture_1d_linear_width ||
      !is_aligned(linear.devPtr, texture_alignment)) {
    return cudaErrorInvalidValue;
  }
  images->levels = 1;
  images->is_linear_memory = true;
  images->level[0] = {
      static_cast<char*>(linear.devPtr), linear.sizeInBytes, linear.sizeInBytes, static_cast<int32_t>(width), 1, 1, 0};
  return cudaSuccess;
}

cudaError_t find_pitched(const cudaResourceDesc& resource, resource_images* images) {
  const auto& plane = resource.res.pitch2D;
  if (const cudaError_t error = to_texel_format(plane.desc, &images->format); error != cudaSuccess) return error;
  const bool fits = plane.width > 0 && plane.height > 0 && plane.width <= size_t{texture_2d_pitched.width} &&
                    plane.height <= size_t{texture_2d_pitched.height} && plane.pitchInBytes <= size_t{texture_2d_pitch};
  if (!plane.devPtr || !fits || !is_aligned(plane.devPtr, texture_alignment)) return cudaErrorInvalidValue;
  if (plane.pitchInBytes % texture_pitch_alignment != 0 || plane.pitchInBytes < plane.width * images->format.bytes()) {
    return cudaErrorInvalidPitchValue;
  }
  images->levels = 1;
  images->level[0] = {static_cast<char*>(plane.devPtr),
                      plane.pitchInBytes,
                      plane.pitchInBytes * plane.height,
                      static_cast<int32_t>(plane.width),
                      static_cast<int32_t>(plane.height),
                      1,
                      0};
  return cudaSuccess;
}

cudaError_t find_images(const cudaResourceDesc& resource, resource_images* images) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return find_array(resource, images);
    case cudaResourceTypeMipmappedArray:
      return find_mipmapped(resource, images);
    case cudaResourceTypeLinear:
      return find_linear(resource, images);
    case cudaResourceTypePitch2D:
      return find_pitched(resource, images);
  }
  return cudaErrorInvalidValue;
}

// Narrows the images to those of a view, which may read the texels in another format of equal size.
cudaError_t apply_view(const cudaResourceDesc& resource, const cudaResourceViewDesc& view, resource_images* images) {
  if (resource.resType != cudaResourceTypeArray && resource.resType != cudaResourceTypeMipmappedArray) {
    return cudaErrorInvalidValue;
  }
  if (view.format != cudaResViewFormatNone) {
    texel_format format;
    if (const cudaError_t error = to_texel_format(view.format, &format); error != cudaSuccess) return error;
    if (format.bytes() != images->format.bytes()) return cudaErrorInvalidValue;
    images->format = format;
  }
  const unsigned first = view.firstMipmapLevel;
  const unsigned last = std::min(view.lastMipmapLevel, images->levels - 1);
  if (first > last) return cudaErrorInvalidValue;
  const bool has_layers = images->flags & (cudaArrayLayered | cudaArrayCubemap);
  for (unsigned level = first; level <= last; ++level) {
    cohort_image_level& one = images->level[level - first] = images->level[level];
    if (!has_layers) continue;
    if (view.firstLayer > view.lastLayer || view.lastLayer >= static_cast<unsigned>(one.depth)) {
      return cudaErrorInvalidValue;
    }
    one.first += view.firstLayer * one.slice;
    one.depth = static_cast<int32_t>(view.lastLayer - view.firstLayer + 1);
  }
  images->levels = last - first + 1;
  return cudaSuccess;
}

// The linear values of sRGB's numbers (IEC 61966-2-1).
const float* values_of_srgb() {
  static const std::array<float, 256> values = [] {
    std::array<float, 256> made{};
    for (size_t i = 0; i < made.size(); ++i) {
      const double x = static_cast<double>(i) / 255;
      made[i] = static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
    }
    return made;
  }();
  return values.data();
}

void describe_format(const texel_format& format, const cudaTextureDesc& sampler, cohort_texture* made) {
  made->channel = format.channel;
  made->channel_bytes = static_cast<int32_t>(format.channel_bytes);
  made->channels = static_cast<int32_t>(format.channels);
  const bool is_small = format.channel_bytes < 4;  // integers of 32 bits are never normalized
  const bool is_normalized = format.is_normalized || (sampler.readMode == cudaReadModeNormalizedFloat && is_small);
  made->is_float = format.channel == cohort_channel_float || is_normalized;
  const unsigned bits = 8 * format.channel_bytes - (format.channel == cohort_channel_signed ? 1 : 0);
  made->largest = static_cast<float>((uint64_t{1} << bits) - 1);
  const bool is_colour = is_normalized && format.channel == cohort_channel_unsigned && format.channel_bytes == 1;
  if (sampler.sRGB && is_colour) made->from_srgb = values_of_srgb();
  for (int c = 0; c < 4; ++c) made->border[c] = std::bit_cast<uint32_t>(sampler.borderColor[c]);
}

cudaError_t check_sampler(const cudaTextureDesc& sampler) {
  for (const cudaTextureAddressMode mode : sampler.addressMode) {
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
  }
  const auto is_filter = [](cudaTextureFilterMode mode) {
    return mode == cudaFilterModePoint || mode == cudaFilterModeLinear;
  };
  if (!is_filter(sampler.filterMode) || !is_filter(sampler.mipmapFilterMode)) return cudaErrorInvalidFilterSetting;
  const bool is_read_mode =
      sampler.readMode == cudaReadModeElementType || sampler.readMode == cudaReadModeNormalizedFloat;
  if (!is_read_mode || sampler.maxAnisotropy > 16) return cudaErrorInvalidValue;
  return sampler.seamlessCubemap ? cudaErrorNotSupported : cudaSuccess;
}

}  // namespace

cudaError_t describe_texture(const cudaResourceDesc& resource, const cudaTextureDesc& sampler,
                             const cudaResourceViewDesc* view, cohort_texture* made) {
  resource_images images;
  cudaError_t error = check_sampler(sampler);
  if (error == cudaSuccess) error = find_images(resource, &images);
  if (error == cudaSuccess && view) error = apply_view(resource, *view, &images);
  if (error != cudaSuccess) return error;
  if (images.is_mipmapped && !sampler.normalizedCoords) return cudaErrorInvalidValue;
  *made = {};
  describe_format(images.format, sampler, made);
  const bool is_cubemap = images.flags & cudaArrayCubemap;
  made->is_linear = sampler.filterMode == cudaFilterModeLinear && !images.is_linear_memory;
  if (made->is_linear && !made->is_float) return cudaErrorInvalidFilterSetting;
  made->is_normalized = sampler.normalizedCoords || is_cubemap;
  for (int axis = 0; axis < 3; ++axis) {
    const cudaTextureAddressMode mode = sampler.addressMode[axis];
    const bool needs_normalized = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    // A coordinate of a cubemap's face is never outside; at its edges there is nothing to repeat.
    const bool is_clamp = is_cubemap || (needs_normalized && !sampler.normalizedCoords);
    made->address[axis] = is_clamp ? cudaAddressModeClamp : mode;
  }
  made->is_linear_between_levels = made->is_float && sampler.mipmapFilterMode == cudaFilterModeLinear;
  made->most_anisotropy = static_cast<int32_t>(sampler.maxAnisotropy);
  made->level_bias = sampler.mipmapLevelBias;
  made->lowest_level = sampler.minMipmapLevelClamp;
  made->highest_level = sampler.maxMipmapLevelClamp;
  made->last_level = static_cast<int32_t>(images.levels) - 1;
  std::copy_n(images.level, images.levels, made->levels);
  return cudaSuccess;
}

cudaError_t describe_surface(const cudaResourceDesc& resource, cohort_surface* made) {
  if (resource.resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const cudaArray* const array = array_table::instance().find(resource.res.array.array);
  if (!array || !(array->flags & cudaArraySurfaceLoadStore)) return cudaErrorInvalidValue;
  *made = {level_of(*array), static_cast<int32_t>(array->format.bytes()), 0};
  return cudaSuccess;
}

}  // namespace cohort::runtime
