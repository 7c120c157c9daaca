// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of coordinates and filters, in one place. The rules are those of the CUDA programming guide, "Texture
// Fetching". Where it leaves a choice, docs/textures.md names the choice; no GPU was measured for it.
#pragma once

#include "texel.h"

// A coordinate as a number of texels. Wrap and mirror map it into the image.
COHORT_DEVICE_FUNCTION float cohort_in_texels(float x, int size, int mode, bool is_normalized) {
#pragma clang fp contract(off)
  if (!is_normalized) return x;
  const float below = __builtin_floorf(x);
  const float part = x - below;
  if (mode == cohort_wrap) x = part;
  if (mode == cohort_mirror) {
    const float half = below * 0.5f;
    x = half == __builtin_floorf(half) ? part : 1.0f - part;
  }
  return x * static_cast<float>(size);
}

// Conversion to an integer. Beyond 2^28 in either direction it saturates; a NaN becomes the lower bound.
COHORT_DEVICE_FUNCTION int cohort_to_index(float x) {
  return static_cast<int>(__builtin_fminf(__builtin_fmaxf(x, -268435456.0f), 268435456.0f));
}

// The index of the texel that contains a coordinate.
COHORT_DEVICE_FUNCTION int cohort_index_at(float texels) { return cohort_to_index(__builtin_floorf(texels)); }

// A coordinate in 256ths of a texel, rounded to nearest, from the centre of texel 0 on: the index of the left texel
// above, the fraction of the right one in the low 8 bits.
COHORT_DEVICE_FUNCTION int cohort_position_at(float texels) {
#pragma clang fp contract(off)
  return cohort_to_index(__builtin_rintf(texels * 256.0f)) - 128;
}

// The texel that an index stands for; -1 for one of the border. An index is at most one texel outside of the image
// under wrap and mirror.
COHORT_DEVICE_FUNCTION int cohort_resolve_index(int index, int size, int mode) {
  const int clamped = index < 0 ? 0 : index >= size ? size - 1 : index;
  if (mode == cohort_wrap) return index < 0 ? size - 1 : index >= size ? 0 : index;
  if (mode == cohort_border) return index == clamped ? index : -1;
  return clamped;
}

// Adds a texel with a weight to a sum, without fusing the two operations. A texel of weight 0 does not count, whatever
// it is.
COHORT_DEVICE_FUNCTION float cohort_add_weighted(float sum, float weight, unsigned int value) {
#pragma clang fp contract(off)
  const float product = weight * __uint_as_float(value);
  return weight == 0.0f ? sum : sum + product;
}

// The level of detail of derivatives, isotropic: the longer of the two vectors, in texels. With anisotropy, the level
// of that vector divided by the ratio of both, at most `most_anisotropy`; one sample is taken.
COHORT_DEVICE_FUNCTION float cohort_level_of(float squared_x, float squared_y, int most_anisotropy) {
#pragma clang fp contract(off)
  const float longer = __builtin_fmaxf(squared_x, squared_y);
  const float shorter = __builtin_fminf(squared_x, squared_y);
  const float most = static_cast<float>(most_anisotropy) * static_cast<float>(most_anisotropy);
  const float narrowed = longer / most;
  return 0.5f * log2f(most_anisotropy > 1 ? __builtin_fmaxf(shorter, narrowed) : longer);
}
