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
  unsigned flags = 0;  // flags of the array
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

// The linear values of sRGB's numbers as an H200 has them, in steps of 2^-14: about 8 bits of precision.
constexpr std::array<uint16_t, 256> srgb_steps = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,    66,    72,    78,
    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,   169,   180,   190,   201,   213,   224,
    236,   250,   262,   276,   290,   304,   318,   332,   348,   364,   380,   396,   412,   430,   448,   466,
    484,   504,   524,   544,   564,   584,   604,   624,   648,   672,   692,   716,   740,   764,   788,   816,
    840,   864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,  1152,  1184,  1216,  1248,  1280,
    1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,  1672,  1712,  1752,  1792,  1832,  1872,
    1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,  2272,  2320,  2368,  2416,  2464,  2512,  2560,  2608,
    2656,  2704,  2752,  2816,  2864,  2912,  2976,  3024,  3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,
    3536,  3600,  3664,  3712,  3776,  3840,  3904,  3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,  4512,
    4576,  4640,  4704,  4768,  4864,  4928,  4992,  5056,  5152,  5216,  5280,  5376,  5440,  5536,  5600,  5696,
    5760,  5824,  5920,  6016,  6080,  6176,  6240,  6336,  6400,  6496,  6592,  6688,  6752,  6848,  6944,  7008,
    7104,  7200,  7296,  7392,  7488,  7584,  7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,
    8640,  8768,  8832,  8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240,
    10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712, 11840, 11968, 12096,
    12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376, 13504, 13632, 13760, 13888, 14016, 14144,
    14272, 14400, 14528, 14656, 14848, 14976, 15104, 15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384};

const float* values_of_srgb() {
  static const std::array<float, 256> values = [] {
    std::array<float, 256> made{};
    for (size_t i = 0; i < made.size(); ++i) made[i] = static_cast<float>(srgb_steps[i]) / 16384.0f;
    return made;
  }();
  return values.data();
}

// A colour of the border as a channel of the format, rounded to 0.
uint32_t border_channel(const texel_format& format, bool is_normalized, float largest, float colour) {
  if (is_normalized) {
    const float lowest = format.channel == cohort_channel_signed ? -1.0f : 0.0f;
    return std::bit_cast<uint32_t>(std::trunc(std::clamp(colour, lowest, 1.0f) * largest) / largest);
  }
  const auto bits = std::bit_cast<uint32_t>(colour);
  const bool is_half = format.channel == cohort_channel_float && format.channel_bytes == 2;
  return is_half ? bits & ~((1u << 13) - 1) : bits;
}

void describe_format(const texel_format& format, const cudaTextureDesc& sampler, cohort_texture* made) {
  made->channel = format.channel;
  made->channel_bytes = static_cast<int32_t>(format.channel_bytes);
  made->channels = static_cast<int32_t>(format.channels);
  const bool is_small = format.channel_bytes < 4;  // integers of 32 bits are never normalized
  const bool is_float = format.channel == cohort_channel_float;
  const bool is_normalized =
      !is_float && (format.is_normalized || (sampler.readMode == cudaReadModeNormalizedFloat && is_small));
  made->is_float = is_float || is_normalized;
  const unsigned bits = 8 * format.channel_bytes - (format.channel == cohort_channel_signed ? 1 : 0);
  made->largest = static_cast<float>((uint64_t{1} << bits) - 1);
  const bool is_colour = is_normalized && format.channel == cohort_channel_unsigned && format.channel_bytes == 1;
  if (sampler.sRGB && is_colour) made->from_srgb = values_of_srgb();
  made->filter_bits = made->from_srgb ? 7 : is_small ? 14 : 27;
  if (is_normalized) made->filter_steps = format.channel == cohort_channel_signed ? 32767.0f : 65535.0f;
  for (unsigned c = 0; c < format.channels; ++c) {
    made->border[c] = border_channel(format, is_normalized, made->largest, sampler.borderColor[c]);
  }
}

int32_t detail_in_256ths(float level) { return static_cast<int32_t>(std::clamp(level, -65536.0f, 65536.0f) * 256.0f); }

void describe_levels(const cudaTextureDesc& sampler, unsigned levels, cohort_texture* made) {
  made->is_linear_between_levels = made->is_float && sampler.mipmapFilterMode == cudaFilterModeLinear;
  made->last_level = static_cast<int32_t>(levels) - 1;
  const auto bounded = [made](int32_t detail) { return std::clamp(detail, 0, made->last_level * 256); };
  made->level_bias = detail_in_256ths(sampler.mipmapLevelBias);
  made->lowest_level = bounded(detail_in_256ths(sampler.minMipmapLevelClamp));
  made->highest_level = bounded(detail_in_256ths(sampler.maxMipmapLevelClamp));
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
    made->address[axis] = needs_normalized && !made->is_normalized ? cudaAddressModeClamp : mode;
  }
  describe_levels(sampler, images.levels, made);
  made->most_anisotropy = static_cast<int32_t>(sampler.maxAnisotropy);
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
