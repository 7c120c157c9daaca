// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest extents of images, those of compute capability 9.0 (CUDA programming guide, "Technical Specifications per
// Compute Capability"). Kernels number texels of an axis in 31 bits.
#pragma once

namespace cohort::runtime {

struct image_limits {
  int width, height, depth;  // depth: slices or layers
};

// Images of textures. Extents that a kind lacks are 0.
constexpr image_limits texture_1d{131072, 0, 0};
constexpr image_limits texture_1d_layered{32768, 0, 2048};
constexpr image_limits texture_2d{131072, 65536, 0};
constexpr image_limits texture_2d_layered{32768, 32768, 2048};
constexpr image_limits texture_2d_gather{32768, 32768, 0};
constexpr image_limits texture_3d{16384, 16384, 16384};
constexpr image_limits texture_3d_alternate{8192, 8192, 32768};
constexpr image_limits texture_cubemap{32768, 32768, 6};
constexpr image_limits texture_cubemap_layered{32768, 32768, 2046};
constexpr image_limits texture_1d_mipmapped{32768, 0, 0};
constexpr image_limits texture_2d_mipmapped{32768, 32768, 0};
// Textures over memory of cudaMalloc.
constexpr int texture_1d_linear_width = 268435456;
constexpr image_limits texture_2d_pitched{131072, 65000, 0};
constexpr int texture_2d_pitch = 2097120;
// Images of surfaces.
constexpr image_limits surface_1d{32768, 0, 0};
constexpr image_limits surface_1d_layered{32768, 0, 2048};
constexpr image_limits surface_2d{131072, 65536, 0};
constexpr image_limits surface_2d_layered{32768, 32768, 2048};
constexpr image_limits surface_3d{16384, 16384, 16384};
constexpr image_limits surface_cubemap{32768, 32768, 6};
constexpr image_limits surface_cubemap_layered{32768, 32768, 2046};

// Alignment of linear memory and of its rows.
constexpr int texture_alignment = 512;
constexpr int texture_pitch_alignment = 32;
constexpr int surface_alignment = 512;

}  // namespace cohort::runtime
