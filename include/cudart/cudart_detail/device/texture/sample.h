// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of a level of an image, and of several levels.
#pragma once

#include "filter.h"

struct cohort_coordinates {
  float x, y, z;
};

// The content of a texture object. A fetch through any other value reads inaccessible memory and is reported.
COHORT_DEVICE_FUNCTION const cohort_texture* cohort_texture_of(unsigned long long object) {
  return reinterpret_cast<const cohort_texture*>(object);
}

// The number of a layer of an image. As on a GPU, it is unsigned: numbers outside, negative ones too, mean the last.
COHORT_DEVICE_FUNCTION int cohort_layer_at(int layer, int layers) {
  return static_cast<unsigned int>(layer) < static_cast<unsigned int>(layers) ? layer : layers - 1;
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

// The two texels beside a coordinate, and the weight of the right one in 256ths, which is 0 where clamping joins both.
struct cohort_taps {
  int left, right, fraction;
};

COHORT_DEVICE_FUNCTION cohort_taps cohort_taps_at(float at, int size, int mode, bool is_normalized) {
  const int position =
      is_normalized ? cohort_position_at(cohort_in_texels(at, size, mode, true)) : cohort_position_of(at);
  const int left = cohort_resolve_index(position >> 8, size, mode);
  const int right = cohort_resolve_index((position >> 8) + 1, size, mode);
  return {left, right, left == right && mode == cohort_clamp ? 0 : position & 255};
}

// The sums of a fetch's channels, before they are rounded.
struct cohort_sums {
  double x, y, z, w;
};

// Whether cohort_sum_of_plane() can load the texels of a level: floats, all of them inside of the image, whose offsets
// in a slice are below 2^31.
COHORT_DEVICE_FUNCTION bool cohort_has_short_offsets(const cohort_texture* texture, const cohort_image_level& level) {
  return texture->channel == cohort_channel_float && texture->channel_bytes == 4 &&
         texture->address[0] != cohort_border && texture->address[1] != cohort_border &&
         texture->address[2] != cohort_border && level.pitch * static_cast<unsigned long long>(level.height) < 1u << 31;
}

// The sum that cohort_add_plane() adds, if cohort_has_short_offsets(). The loop is unrolled, so its arrays need no
// memory: in gangs it takes half the time.
template <int Axes>
COHORT_DEVICE_FUNCTION double cohort_sum_of_plane(const cohort_texture* texture, const cohort_image_level& level,
                                                  const char* first, const cohort_taps& x, const cohort_taps& y,
                                                  int weight) {
  constexpr int corners = Axes > 1 ? 4 : 2;
  int weights[corners];
  unsigned int numbers[corners];
#pragma clang loop unroll(full)
  for (int corner = 0; corner < corners; ++corner) {
    const bool right = corner & 1, below = corner & 2;
    weights[corner] = cohort_weight_of(weight, x.fraction, y.fraction, right, below);
    const int row = Axes > 1 ? (below ? y.right : y.left) * static_cast<int>(level.pitch) : 0;
    numbers[corner] = cohort_load_word<4>(first + (row + (right ? x.right : x.left) * (4 * texture->channels)));
  }
  return cohort_sum_of_floats(texture, weights, numbers);
}

// Adds a plane of a level, with a weight in 256ths, to the sums. `k` is the slice of a volume.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION void cohort_add_plane(const cohort_texture* texture, const cohort_image_level& level,
                                             const char* first, const cohort_taps& x, const cohort_taps& y, int k,
                                             int weight, cohort_sums& sums) {
  if (Channels == 1 && cohort_has_short_offsets(texture, level)) {
    const char* const slice = Axes > 2 ? first + static_cast<unsigned long long>(k) * level.slice : first;
    sums.x += cohort_sum_of_plane<Axes>(texture, level, slice, x, y, weight);
    return;
  }
  constexpr int corners = Axes > 1 ? 4 : 2;
  int weights[corners];
  unsigned int channels[4][corners];
  // A loop keeps the code of a fetch small: the body has the loads of all formats.
#pragma clang loop unroll(disable) vectorize(disable)
  for (int corner = 0; corner < corners; ++corner) {
    const bool right = corner & 1, below = corner & 2;
    weights[corner] = cohort_weight_of(weight, x.fraction, y.fraction, right, below);
    const cohort_texel texel =
        cohort_texel_at<Channels, Axes>(texture, level, first, right ? x.right : x.left, below ? y.right : y.left, k);
    channels[0][corner] = texel.x;
    if (Channels > 1) channels[1][corner] = texel.y;
    if (Channels > 2) channels[2][corner] = texel.z;
    if (Channels > 2) channels[3][corner] = texel.w;
  }
  const float steps = texture->filter_steps, colour_steps = texture->from_srgb ? 0.0f : steps;
  sums.x += cohort_sum_of(texture, colour_steps, weights, channels[0]);
  if (Channels > 1) sums.y += cohort_sum_of(texture, colour_steps, weights, channels[1]);
  if (Channels > 2) sums.z += cohort_sum_of(texture, colour_steps, weights, channels[2]);
  if (Channels > 2) sums.w += cohort_sum_of(texture, steps, weights, channels[3]);
}

template <int Channels>
COHORT_DEVICE_FUNCTION cohort_texel cohort_results_of(const cohort_texture* texture, const cohort_sums& sums) {
  const float steps = texture->filter_steps, colour_steps = texture->from_srgb ? 0.0f : steps;
  cohort_texel results{cohort_result_of(texture, colour_steps, sums.x), 0, 0, 0};
  if (Channels > 1) results.y = cohort_result_of(texture, colour_steps, sums.y);
  if (Channels > 2) results.z = cohort_result_of(texture, colour_steps, sums.z);
  if (Channels > 2) results.w = cohort_result_of(texture, steps, sums.w);
  return results;
}

// The first texel of a layer. As on a GPU, its number is unsigned: all numbers outside mean the last one.
template <int Axes>
COHORT_DEVICE_FUNCTION const char* cohort_layer_first(const cohort_image_level& level, int layer) {
  return level.first +
         (Axes < 3 ? static_cast<unsigned long long>(cohort_layer_at(layer, level.depth)) * level.slice : 0);
}

// Adds a bilinear sample of a level, or its form in other dimensions, with a weight in 256ths.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION void cohort_add_level(const cohort_texture* texture, const cohort_image_level& level,
                                             cohort_coordinates at, int layer, int weight, cohort_sums& sums) {
  const bool is_normalized = texture->is_normalized;
  const char* const first = cohort_layer_first<Axes>(level, layer);
  const cohort_taps none{0, 0, 0};
  const cohort_taps x = cohort_taps_at(at.x, level.width, texture->address[0], is_normalized);
  const cohort_taps y = Axes > 1 ? cohort_taps_at(at.y, level.height, texture->address[1], is_normalized) : none;
  if (Axes < 3) {
    cohort_add_plane<Channels, Axes>(texture, level, first, x, y, 0, weight, sums);
    return;
  }
  const cohort_taps z = cohort_taps_at(at.z, level.depth, texture->address[2], is_normalized);
  const int behind = (weight * z.fraction + 128) >> 8;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int side = 0; side < 2; ++side) {
    cohort_add_plane<Channels, Axes>(texture, level, first, x, y, side ? z.right : z.left,
                                     side ? behind : weight - behind, sums);
  }
}

// A sample of one level. `layer` counts layers, and faces of cubemaps; of volumes it is 0.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample(const cohort_texture* texture, const cohort_image_level& level,
                                                  cohort_coordinates at, int layer) {
  if (texture->is_linear) {
    cohort_sums sums{-0.0, -0.0, -0.0, -0.0};
    cohort_add_level<Channels, Axes>(texture, level, at, layer, 256, sums);
    return cohort_results_of<Channels>(texture, sums);
  }
  const bool is_normalized = texture->is_normalized;
  const double x = cohort_in_texels(at.x, level.width, texture->address[0], is_normalized);
  const double y = Axes > 1 ? cohort_in_texels(at.y, level.height, texture->address[1], is_normalized) : 0;
  const double z = Axes > 2 ? cohort_in_texels(at.z, level.depth, texture->address[2], is_normalized) : 0;
  const char* const first = cohort_layer_first<Axes>(level, layer);
  const int i = cohort_resolve_index(cohort_index_at(x), level.width, texture->address[0]);
  const int j = Axes > 1 ? cohort_resolve_index(cohort_index_at(y), level.height, texture->address[1]) : 0;
  const int k = Axes > 2 ? cohort_resolve_index(cohort_index_at(z), level.depth, texture->address[2]) : 0;
  return cohort_texel_at<Channels, Axes>(texture, level, first, i, j, k);
}

// Adds the texel at a place of a level, with a weight in 256ths.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION void cohort_add_texel(const cohort_texture* texture, const cohort_image_level& level,
                                             cohort_coordinates at, int layer, int weight, cohort_sums& sums) {
  const cohort_texel texel = cohort_sample<Channels, Axes>(texture, level, at, layer);
  const float steps = texture->filter_steps, colour_steps = texture->from_srgb ? 0.0f : steps;
  const int weights[1] = {weight};
  sums.x += cohort_sum_of(texture, colour_steps, weights, {texel.x});
  if (Channels > 1) sums.y += cohort_sum_of(texture, colour_steps, weights, {texel.y});
  if (Channels > 2) sums.z += cohort_sum_of(texture, colour_steps, weights, {texel.z});
  if (Channels > 2) sums.w += cohort_sum_of(texture, steps, weights, {texel.w});
}

// A sample at a level of detail in 256ths that exists: of the nearest level, or of the two around it.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_detail(const cohort_texture* texture, cohort_coordinates at,
                                                         int layer, int position) {
  if (!texture->is_linear_between_levels) {
    return cohort_sample<Channels, Axes>(texture, texture->levels[(position + 128) >> 8], at, layer);
  }
  cohort_sums sums{-0.0, -0.0, -0.0, -0.0};
#pragma clang loop unroll(disable) vectorize(disable)
  for (int side = 0; side < 2; ++side) {
    const int wanted = (position >> 8) + side;
    const cohort_image_level& level = texture->levels[wanted > texture->last_level ? texture->last_level : wanted];
    const int weight = side ? position & 255 : 256 - (position & 255);
    if (texture->is_linear) {
      cohort_add_level<Channels, Axes>(texture, level, at, layer, weight, sums);
    } else {
      cohort_add_texel<Channels, Axes>(texture, level, at, layer, weight, sums);
    }
  }
  return cohort_results_of<Channels>(texture, sums);
}

// A sample at a level of detail, after the bias and the clamps.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_levels(const cohort_texture* texture, cohort_coordinates at,
                                                         int layer, float detail) {
  const int biased = cohort_detail_at(detail) + texture->level_bias;
  const int limited = biased < texture->lowest_level ? texture->lowest_level : biased;
  const int position = limited > texture->highest_level ? texture->highest_level : limited;
  return cohort_sample_detail<Channels, Axes>(texture, at, layer, position);
}

// A sample without a level of detail: of level 0 after the clamps, without the bias.
template <int Channels, int Axes>
COHORT_DEVICE_FUNCTION cohort_texel cohort_sample_first(const cohort_texture* texture, cohort_coordinates at,
                                                        int layer) {
  const int lowest = texture->lowest_level < texture->highest_level ? texture->lowest_level : texture->highest_level;
  if (lowest != 0) return cohort_sample_detail<Channels, Axes>(texture, at, layer, lowest);
  return cohort_sample<Channels, Axes>(texture, texture->levels[0], at, layer);
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
