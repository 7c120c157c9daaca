// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of texture fetches in double, after the CUDA programming guide, "Texture Fetching", with the weights of an
// H200. Indices outside of an image are folded into it by integer arithmetic.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace model {

using channels = std::array<double, 4>;

struct image {
  int width = 1, height = 1, depth = 1;  // depth: slices, layers or faces
  int axes = 1;                          // axes that a filter covers
  std::vector<channels> texels;

  const channels& at(int i, int j, int k) const { return texels[(static_cast<size_t>(k) * height + j) * width + i]; }
};

struct sampler {
  std::array<cudaTextureAddressMode, 3> modes{};
  bool is_linear = false;
  bool is_normalized = false;
  channels border{};
  double steps = 0;  // steps of a filter's results between 0 and 1; 0: the results are floats
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

// The left of the two texels around a coordinate, and the weight of the right one in 256ths.
struct place_in_axis {
  int left = 0, fraction = 0;
};

inline place_in_axis place_of(double at, int size, const sampler& by, cudaTextureAddressMode mode) {
  const double texels = by.is_normalized ? at * size : at;
  if (!by.is_linear) return {static_cast<int>(std::floor(texels)), 0};
  const int position = static_cast<int>(std::floor((texels - 0.5) * 256 + 0.5));
  const int left = static_cast<int>(std::floor(position / 256.0));
  const bool is_clamped = mode == cudaAddressModeClamp || (mode != cudaAddressModeBorder && !by.is_normalized);
  const bool is_joined = is_clamped && (left < 0 || left >= size - 1);
  return {left, is_joined ? 0 : position - 256 * left};
}

// Adds a fetch's texels times their weights, which are whole 256ths with the sum `total`. `at`: coordinates; `layer`:
// where the image has layers, else 0; numbers outside mean the last one.
inline void add(const image& from, const sampler& by, std::array<double, 3> at, int layer, int total, channels* sum) {
  const int sizes[3] = {from.width, from.height, from.depth};
  place_in_axis places[3];
  for (int axis = 0; axis < from.axes; ++axis) places[axis] = place_of(at[axis], sizes[axis], by, by.modes[axis]);
  const int own_layer = layer < 0 || layer >= from.depth ? from.depth - 1 : layer;
  const auto up = [](double x) { return static_cast<int>(std::floor(x + 0.5)); };
  const auto down = [](double x) { return static_cast<int>(std::ceil(x - 0.5)); };
  const int behind = up(total * places[2].fraction / 256.0);
  for (int corner = 0; corner < 8; ++corner) {
    const int right = corner & 1, below = corner >> 1 & 1, is_behind = corner >> 2;
    const int plane = is_behind ? behind : total - behind;
    const int right_column = up(plane * places[0].fraction / 256.0);
    const int column = right ? right_column : plane - right_column;
    const double exact = column * places[1].fraction / 256.0;
    const int row = right ? up(exact) : down(exact);
    const int weight = below ? row : column - row;
    if (weight == 0) continue;
    int index[3] = {0, 0, 0};
    bool is_border = false;
    for (int axis = 0; axis < from.axes; ++axis) {
      const int step = corner >> axis & 1;
      index[axis] = fold(places[axis].left + step, sizes[axis], by.modes[axis], by.is_normalized);
      is_border = is_border || index[axis] < 0;
    }
    const channels& texel = is_border ? by.border : from.at(index[0], index[1], from.axes < 3 ? own_layer : index[2]);
    for (int c = 0; c < 4; ++c) (*sum)[c] += weight / 256.0 * texel[c];
  }
}

inline channels fetch(const image& from, const sampler& by, std::array<double, 3> at, int layer) {
  channels sum{};
  add(from, by, at, layer, 256, &sum);
  if (!by.is_linear || by.steps == 0) return sum;
  for (double& x : sum) x = std::floor(x * by.steps + 0.5) / by.steps;
  return sum;
}

// Selects the face that a direction points to, and the coordinates there (guide, "Cubemap Textures").
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
