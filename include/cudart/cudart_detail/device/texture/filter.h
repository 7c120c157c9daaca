// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of coordinates and filters, in one place. The rules were measured on an H200, bit for bit;
// docs/textures.md lists them. A fetch is no arithmetic of the kernel: -fmad and --use_fast_math, which fuse products
// or multiply by reciprocals, must not change its bits.
#pragma once

#include "texel.h"

// A coordinate as a number of texels, exact in double. Denormal coordinates count as 0. Normalized ones are multiples
// of 2^-21, rounded down. Wrap maps them into [0, 1), mirror into [0, 2), whose second half is the mirrored image.
COHORT_DEVICE_FUNCTION double cohort_in_texels(float x, int size, int mode, bool is_normalized) {
#pragma clang fp contract(off) reciprocal(off)
  // Clamping changes no result: coordinates beyond 2^24 lie outside of every image, and are even integers.
  constexpr float most = 16777216.0f, steps_of_image = 2097152.0f;
  x = __builtin_fabsf(x) < 1.17549435e-38f ? 0.0f : __builtin_fminf(__builtin_fmaxf(x, -most), most);
  if (!is_normalized) return static_cast<double>(x);
  const float steps = __builtin_floorf(x * steps_of_image);
  const float period = mode == cohort_mirror ? 2 * steps_of_image : steps_of_image;
  const float periodic = steps - __builtin_floorf(steps / period) * period;
  const float limited = __builtin_fminf(__builtin_fmaxf(steps, -steps_of_image), 2 * steps_of_image);
  const bool is_periodic = mode == cohort_wrap || mode == cohort_mirror;
  return static_cast<double>(is_periodic ? periodic : limited) * (size * (1.0 / steps_of_image));
}

// The index of the texel that contains a coordinate, which is below 2^24.
COHORT_DEVICE_FUNCTION int cohort_index_at(double texels) { return static_cast<int>(__builtin_floor(texels)); }

// A coordinate in 256ths of a texel from the centre of texel 0 on, ties up: the index of the left texel above, the
// fraction of the right one in the low 8 bits. Beyond 2^22 texels it saturates.
COHORT_DEVICE_FUNCTION int cohort_position_at(double texels) {
#pragma clang fp contract(off) reciprocal(off)
  const double limited = __builtin_fmin(__builtin_fmax(texels, -4194304.0), 4194304.0);
  return static_cast<int>(__builtin_floor(limited * 256.0 + 0.5)) - 128;
}

// cohort_position_at() of a coordinate that is not normalized: the product with 256 and the fraction are exact in
// float.
COHORT_DEVICE_FUNCTION int cohort_position_of(float x) {
#pragma clang fp contract(off) reciprocal(off)
  const float limited = __builtin_fminf(__builtin_fmaxf(x, -4194304.0f), 4194304.0f) * 256.0f;
  const float below = __builtin_floorf(limited);
  return static_cast<int>(below) + (limited - below >= 0.5f ? 1 : 0) - 128;
}

// The texel that an index stands for; -1 for one of the border. An index is at most one texel outside of the image
// under wrap, and of two images under mirror.
COHORT_DEVICE_FUNCTION int cohort_resolve_index(int index, int size, int mode) {
  const int clamped = index < 0 ? 0 : index >= size ? size - 1 : index;
  if (mode == cohort_wrap) return index < 0 ? size - 1 : index >= size ? 0 : index;
  if (mode == cohort_border) return index == clamped ? index : -1;
  if (mode == cohort_mirror && index >= size) return index == 2 * size ? 0 : 2 * size - 1 - index;
  return clamped;
}

// The weight of a texel of a plane, in 256ths, `plane` for all four: a column's weight is rounded, ties up, then that
// of a row, ties up in the right column and down in the left one.
COHORT_DEVICE_FUNCTION int cohort_weight_of(int plane, int x, int y, bool is_right, bool is_below) {
  const int right = (plane * x + 128) >> 8;
  const int column = is_right ? right : plane - right;
  const int below = (column * y + (is_right ? 128 : 127)) >> 8;
  return is_below ? below : column - below;
}

// The sum of floats times their weights, of which one is infinite or not a number.
template <int Count>
COHORT_DEVICE_FUNCTION double cohort_sum_of_infinities(const int (&weights)[Count], const unsigned int (&bits)[Count]) {
#pragma clang fp contract(off) reciprocal(off)
  double sum = -0.0;
  for (int i = 0; i < Count; ++i) {
    const double value = static_cast<double>(__uint_as_float(bits[i]));
    sum += weights[i] != 0 ? value * weights[i] : -0.0;
  }
  return sum;
}

// The sum of a plane's floats times their weights, exact, times 256. The floats are aligned to the largest one of the
// plane: bits below 2^-filter_bits of its power of two are cut off. Denormals are 0. Numbers of weight 0 do not count,
// and a single one is not cut. The sum is one of integers, in two parts of 32 bits: half the cost of sums of doubles.
template <int Count>
COHORT_DEVICE_FUNCTION double cohort_sum_of_floats(const cohort_texture* texture, const int (&weights)[Count],
                                                   const unsigned int (&bits)[Count]) {
#pragma clang fp contract(off) reciprocal(off)
  constexpr unsigned int infinite = 0x7f800000u;
  unsigned int largest = 0, all = ~0u;  // all: the sign bit is set if all numbers are negative
  bool is_single = false;
  for (int i = 0; i < Count; ++i) {
    const unsigned int magnitude = weights[i] != 0 ? bits[i] & ~0x80000000u : 0;
    largest = magnitude > largest ? magnitude : largest;
    all &= weights[i] != 0 ? bits[i] : ~0u;
    is_single |= weights[i] == 256;
  }
  if (largest >= infinite) return cohort_sum_of_infinities(weights, bits);
  const int top = static_cast<int>(largest >> 23), kept = is_single ? 23 : texture->filter_bits;
  int high = 0, low = 0;  // the sum in units: 2^14 * high + low
  for (int i = 0; i < Count; ++i) {
    const int exponent = static_cast<int>(bits[i] >> 23 & 255);
    const unsigned int mantissa = exponent == 0 ? 0 : (bits[i] & 0x7fffffu) | 0x800000u;
    const unsigned int cut = static_cast<unsigned int>(top - exponent + 27 - kept);
    const int magnitude = static_cast<int>(mantissa << 4 >> (cut > 31 ? 31 : cut));
    const int sign = static_cast<int>(bits[i]) >> 31;
    const int number = (magnitude ^ sign) - sign;
    high += (number >> 14) * weights[i];
    low += (number & 16383) * weights[i];
  }
  const double unit = __longlong_as_double(static_cast<long long>(1023 + top - 127 - kept) << 52);
  const double sum = (static_cast<double>(high) * 16384.0 + static_cast<double>(low)) * unit;
  return __longlong_as_double(__double_as_longlong(sum) | static_cast<long long>(all & 0x80000000u) << 32);
}

// The sum of a plane's numbers times their weights, exact: of normalized integers in steps, else 256 times the number.
template <int Count>
COHORT_DEVICE_FUNCTION double cohort_sum_of(const cohort_texture* texture, float steps, const int (&weights)[Count],
                                            const unsigned int (&bits)[Count]) {
#pragma clang fp contract(off) reciprocal(off)
  if (steps == 0.0f) return cohort_sum_of_floats(texture, weights, bits);
  int sum = 0;
  for (int i = 0; i < Count; ++i) {
    sum += static_cast<int>(__builtin_rintf(__uint_as_float(bits[i]) * steps)) * weights[i];
  }
  return static_cast<double>(sum);
}

// The result of a filter from the sum of its weighted numbers. Normalized integers are rounded to steps, ties up;
// floats to 24 bits, or to the 11 of half precision in multiples of at least 2^-24, ties away from 0.
COHORT_DEVICE_FUNCTION unsigned int cohort_result_of(const cohort_texture* texture, float steps, double sum) {
#pragma clang fp contract(off) reciprocal(off)
  if (steps != 0.0f) return __float_as_uint(static_cast<float>(__builtin_floor(sum * (1.0 / 256) + 0.5)) / steps);
  const bool is_half = texture->filter_bits < 27;
  const double number = sum * (1.0 / 256);
  const int dropped = is_half ? 42 : 29;
  const double rounded =
      __longlong_as_double((__double_as_longlong(number) + (1LL << (dropped - 1))) & ~((1LL << dropped) - 1));
  float result = static_cast<float>(rounded);
  if (is_half && __builtin_fabs(number) < 0x1p-14) {
    const double small = __builtin_copysign(__builtin_floor(__builtin_fabs(number) * 16777216.0 + 0.5), number);
    result = static_cast<float>(small * (1.0 / 16777216));
  }
  return __float_as_uint(__builtin_fabsf(result) < 1.17549435e-38f ? result * 0.0f : result);
}

// A level of detail in 256ths, rounded toward 0.
COHORT_DEVICE_FUNCTION int cohort_detail_at(float level) {
  return static_cast<int>(__builtin_fminf(__builtin_fmaxf(level, -65536.0f), 65536.0f) * 256.0f);
}

// The level of detail of derivatives, isotropic: the longer of the two vectors, in texels. With anisotropy, the level
// of that vector divided by the ratio of both, at most `most_anisotropy`; one sample is taken.
COHORT_DEVICE_FUNCTION float cohort_level_of(float squared_x, float squared_y, int most_anisotropy) {
#pragma clang fp contract(off) reciprocal(off)
  const float longer = __builtin_fmaxf(squared_x, squared_y);
  const float shorter = __builtin_fminf(squared_x, squared_y);
  const float most = static_cast<float>(most_anisotropy) * static_cast<float>(most_anisotropy);
  const float narrowed = longer / most;
  return 0.5f * log2f(most_anisotropy > 1 ? __builtin_fmaxf(shorter, narrowed) : longer);
}
