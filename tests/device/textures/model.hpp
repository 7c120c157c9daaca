// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of texture fetches in double, after the CUDA programming guide, "Texture Fetching". Indices outside of an
// image are folded into it by integer arithmetic.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace model {

using channels = std::array<double, 4>;

struct image {
  int width = 1, height = 1, depth = 1;  // depth: slices, layers or faces
  int axes = 1;                          // of filtering
  std::vector<channels> texels;

  const channels& at(int i, int j, int k) const { return texels[(static_cast<size_t>(k) * height + j) * width + i]; }
};

struct sampler {
  std::array<cudaTextureAddressMode, 3> modes{};
  bool is_linear = false;
  bool is_normalized = false;
  channels border{};
};

// The texel of an index in an axis of `size` texels; -1: the border.
inline int fold(int index, int size, cudaTextureAddressMode mode, bool is_normalized) {
  const auto remainder = [](int a, int b) { return ((a % b) + b) % b; };
  if (mode == cudaAddressModeWrap && is_normalized) return remainder(index, size);
  if (mode == cudaAddressModeMirror && is_normalized) {
    const int place = remainder(index, 2 * size);
    return place < size ? place : 2 * size - 1 - place;
  }
  if (mode == cudaAddressModeBorder && (index < 0 || index >= size)) return -1;
  return index < 0 ? 0 : index >= size ? size - 1 : index;
}

// `at`: coordinates; `layer`: where the image has layers, else 0.
inline channels fetch(const image& from, const sampler& by, std::array<double, 3> at, int layer) {
  const int sizes[3] = {from.width, from.height, from.depth};
  int left[3] = {0, 0, 0};
  double right_part[3] = {0, 0, 0};
  for (int axis = 0; axis < from.axes; ++axis) {
    const double texels = by.is_normalized ? at[axis] * sizes[axis] : at[axis];
    const double place = by.is_linear ? texels - 0.5 : texels;
    left[axis] = static_cast<int>(std::floor(place));
    if (by.is_linear) right_part[axis] = std::round((place - left[axis]) * 256) / 256;
  }
  const int last_layer = from.axes < 3 ? std::min(std::max(layer, 0), from.depth - 1) : 0;
  channels sum{};
  for (int corner = 0; corner < (by.is_linear ? 1 << from.axes : 1); ++corner) {
    int index[3] = {0, 0, 0};
    double weight = 1;
    bool is_border = false;
    for (int axis = 0; axis < from.axes; ++axis) {
      const bool right = corner >> axis & 1;
      weight *= right ? right_part[axis] : 1 - right_part[axis];
      index[axis] = fold(left[axis] + right, sizes[axis], by.modes[axis], by.is_normalized);
      is_border = is_border || index[axis] < 0;
    }
    const channels& texel = is_border ? by.border : from.at(index[0], index[1], from.axes < 3 ? last_layer : index[2]);
    for (int c = 0; c < 4; ++c) sum[c] += weight * texel[c];
  }
  return sum;
}

// The face that a direction meets and the coordinates there (guide, "Cubemap Textures").
inline int face_of(double x, double y, double z, std::array<double, 3>* at) {
  struct row {
    int face;
    double m, s, t;
  };
  const double a = std::fabs(x), b = std::fabs(y), c = std::fabs(z);
  row r{};
  if (a > b && a > c) {
    r = x >= 0 ? row{0, x, -z, -y} : row{1, -x, z, -y};
  } else if (b > a && b > c) {
    r = y >= 0 ? row{2, y, x, z} : row{3, -y, x, -z};
  } else {
    r = z >= 0 ? row{4, z, x, -y} : row{5, -z, -x, -y};
  }
  *at = {(r.s / r.m + 1) / 2, (r.t / r.m + 1) / 2, 0};
  return r.face;
}

}  // namespace model
