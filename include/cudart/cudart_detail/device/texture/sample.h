// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of a level of an image, and of several levels.
#pragma once

#include "filter.h"

struct cohort_coordinates {
  float x, y, z;
};

// The content of a texture object. A fetch through a value that is none reads inaccessible memory and is reported.
COHORT_DEVICE_FUNCTION const cohort_texture* cohort_texture_of(unsigned long long object) {
  return reinterpret_cast<const cohort_texture*>(object);
}

// Layers outside of an image are its first and its last.
COHORT_DEVICE_FUNCTION unsigned long long cohort_layer_offset(const cohort_image_level& level, int layer) {
  const int clamped = layer < 0 ? 0 : layer >= level.depth ? level.depth - 1 : layer;
  return static_cast<unsigned long long>(clamped) * level.slice;
}

// The texel at indices that the address modes have resolved.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_texel_at(const cohort_texture* texture, const cohort_image_level& level,
                                                    const char* first, int i, int j, int k) {
  if (i < 0 || (Axes > 1 && j < 0) || (Axes > 2 && k < 0)) {
    return {texture->border[0], texture->border[1], texture->border[2], texture->border[3]};
  }
  const char* at = first + static_cast<long long>(i) * (texture->channel_bytes * texture->channels);
  if (Axes > 1) at += static_cast<unsigned long long>(j) * level.pitch;
  if (Axes > 2) at += static_cast<unsigned long long>(k) * level.slice;
  return cohort_load_texel<Channels>(texture, at);
}

// The two texels beside a coordinate, and the weight of the right one in 256ths.
struct cohort_taps {
  int left, right, fraction;
};

COHORT_DEVICE_FUNCTION cohort_taps cohort_taps_at(float texels, int size, int mode) {
  const int position = cohort_position_at(texels);
  const int left = position >> 8;
  return {cohort_resolve_index(left, size, mode), cohort_resolve_index(left + 1, size, mode), position & 255};
}

template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_linear(const cohort_texture* texture, const cohort_image_level& level,
                                                         const char* first, cohort_coordinates at) {
#pragma clang fp contract(off)
  const cohort_taps x = cohort_taps_at(at.x, level.width, texture->address[0]);
  const cohort_taps y = Axes > 1 ? cohort_taps_at(at.y, level.height, texture->address[1]) : cohort_taps{0, 0, 0};
  const cohort_taps z = Axes > 2 ? cohort_taps_at(at.z, level.depth, texture->address[2]) : cohort_taps{0, 0, 0};
  float sum_x = 0, sum_y = 0, sum_z = 0, sum_w = 0;
  // A loop keeps the code of a fetch small: the body has the loads of all formats.
#pragma clang loop unroll(disable) vectorize(disable)
  for (int corner = 0; corner < 1 << Axes; ++corner) {
    const bool right = corner & 1, below = corner & 2, behind = corner & 4;
    int weight = right ? x.fraction : 256 - x.fraction;
    if (Axes > 1) weight *= below ? y.fraction : 256 - y.fraction;
    if (Axes > 2) weight *= behind ? z.fraction : 256 - z.fraction;
    // The product of 8-bit fractions has at most 24 bits and is exact.
    constexpr float unit = Axes == 1 ? 1.0f / 256 : Axes == 2 ? 1.0f / 65536 : 1.0f / 16777216;
    const float part = static_cast<float>(weight) * unit;
    const cohort_texel texel = cohort_texel_at<Channels, Axes>(texture, level, first, right ? x.right : x.left,
                                                               below ? y.right : y.left, behind ? z.right : z.left);
    sum_x = cohort_add_weighted(sum_x, part, texel.x);
    if (Channels > 1) sum_y = cohort_add_weighted(sum_y, part, texel.y);
    if (Channels > 2) sum_z = cohort_add_weighted(sum_z, part, texel.z);
    if (Channels > 2) sum_w = cohort_add_weighted(sum_w, part, texel.w);
  }
  return {__float_as_uint(sum_x), __float_as_uint(sum_y), __float_as_uint(sum_z), __float_as_uint(sum_w)};
}

// A sample of one level. `layer` counts layers, and faces of cubemaps; of volumes it is 0.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample(const cohort_texture* texture, const cohort_image_level& level,
                                                  cohort_coordinates at, int layer) {
  const bool is_normalized = texture->is_normalized;
  at.x = cohort_in_texels(at.x, level.width, texture->address[0], is_normalized);
  if (Axes > 1) at.y = cohort_in_texels(at.y, level.height, texture->address[1], is_normalized);
  if (Axes > 2) at.z = cohort_in_texels(at.z, level.depth, texture->address[2], is_normalized);
  const char* const first = Axes > 2 ? level.first : level.first + cohort_layer_offset(level, layer);
  if (texture->is_linear) return cohort_sample_linear<Channels, Axes>(texture, level, first, at);
  const int i = cohort_resolve_index(cohort_index_at(at.x), level.width, texture->address[0]);
  const int j = Axes > 1 ? cohort_resolve_index(cohort_index_at(at.y), level.height, texture->address[1]) : 0;
  const int k = Axes > 2 ? cohort_resolve_index(cohort_index_at(at.z), level.depth, texture->address[2]) : 0;
  return cohort_texel_at<Channels, Axes>(texture, level, first, i, j, k);
}

// A sample at a level of detail: of the nearest level, or of the two around it.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_levels(const cohort_texture* texture, cohort_coordinates at,
                                                         int layer, float detail) {
#pragma clang fp contract(off)
  const float biased = detail + texture->level_bias;
  const float limited = __builtin_fminf(__builtin_fmaxf(biased, texture->lowest_level), texture->highest_level);
  const float last = static_cast<float>(texture->last_level);
  const float detailed = __builtin_fminf(__builtin_fmaxf(limited, 0.0f), last);
  if (!texture->is_linear_between_levels) {
    const int nearest = static_cast<int>(__builtin_floorf(detailed + 0.5f));
    return cohort_sample<Channels, Axes>(texture, texture->levels[nearest], at, layer);
  }
  const int position = static_cast<int>(__builtin_rintf(detailed * 256.0f));
  const int fraction = position & 255;
  float sum_x = 0, sum_y = 0, sum_z = 0, sum_w = 0;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int side = 0; side < 2; ++side) {
    const int wanted = (position >> 8) + side;
    const int number = wanted > texture->last_level ? texture->last_level : wanted;
    const float part = static_cast<float>(side ? fraction : 256 - fraction) * (1.0f / 256);
    const cohort_texel texel = cohort_sample<Channels, Axes>(texture, texture->levels[number], at, layer);
    sum_x = cohort_add_weighted(sum_x, part, texel.x);
    if (Channels > 1) sum_y = cohort_add_weighted(sum_y, part, texel.y);
    if (Channels > 2) sum_z = cohort_add_weighted(sum_z, part, texel.z);
    if (Channels > 2) sum_w = cohort_add_weighted(sum_w, part, texel.w);
  }
  return {__float_as_uint(sum_x), __float_as_uint(sum_y), __float_as_uint(sum_z), __float_as_uint(sum_w)};
}

// A sample at the level that derivatives by two directions of the screen select.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_grad(const cohort_texture* texture, cohort_coordinates at, int layer,
                                                       cohort_coordinates by_x, cohort_coordinates by_y) {
#pragma clang fp contract(off)
  const cohort_image_level& level = texture->levels[0];
  const float width = static_cast<float>(level.width);
  const float height = Axes > 1 ? static_cast<float>(level.height) : 0.0f;
  const float depth = Axes > 2 ? static_cast<float>(level.depth) : 0.0f;
  const cohort_coordinates u{by_x.x * width, by_x.y * height, by_x.z * depth};
  const cohort_coordinates v{by_y.x * width, by_y.y * height, by_y.z * depth};
  const float squared_x = u.x * u.x + u.y * u.y + u.z * u.z;
  const float squared_y = v.x * v.x + v.y * v.y + v.z * v.z;
  const float detail = cohort_level_of(squared_x, squared_y, texture->most_anisotropy);
  return cohort_sample_levels<Channels, Axes>(texture, at, layer, detail);
}
