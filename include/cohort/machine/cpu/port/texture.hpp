// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of texture and surface objects. The runtime makes one in memory that kernels read; its address is the
// object's value.
#pragma once

#include <stdint.h>

// The numbers of cudaChannelFormatKind.
enum cohort_channel { cohort_channel_signed, cohort_channel_unsigned, cohort_channel_float };

// The numbers of cudaTextureAddressMode.
enum cohort_address_mode { cohort_wrap, cohort_clamp, cohort_mirror, cohort_border };

#define COHORT_TEXTURE_LEVELS 18

// A level of an image: `depth` is the number of slices of a volume, or of layers; 1 for other images.
struct cohort_image_level {
  char* first;
  uint64_t pitch, slice;  // bytes
  int32_t width, height, depth;
  int32_t reserved;
};

struct cohort_texture {
  int32_t channel;        // cohort_channel
  int32_t channel_bytes;  // 1, 2 or 4
  int32_t channels;       // 1, 2 or 4
  int32_t is_float;       // a fetch returns floating-point numbers
  int32_t address[3];     // cohort_address_mode of each axis
  int32_t is_linear;      // bilinear filtering and its forms in other dimensions
  int32_t is_normalized;  // coordinates of the image are [0, 1)
  int32_t last_level;
  int32_t is_linear_between_levels;
  int32_t most_anisotropy;
  int32_t level_bias, lowest_level, highest_level;  // 256ths of a level; bounds lie in 0 .. last_level
  int32_t filter_bits;     // formats of floats: bits that the filter keeps below the largest number's power of two
  float filter_steps;      // normalized integers: steps of a filter's result between 0 and 1; else 0
  float largest;           // normalized integers: the integer that stands for 1
  const float* from_srgb;  // table of 256 values; null: the format is linear
  uint32_t border[4];      // the bits of the border's channels
  struct cohort_image_level levels[COHORT_TEXTURE_LEVELS];
};

struct cohort_surface {
  struct cohort_image_level level;
  int32_t texel_bytes;
  int32_t reserved;
};
