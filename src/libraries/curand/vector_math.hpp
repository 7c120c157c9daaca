// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions without branches and calls, so that compilers vectorize loops over them. Errors are below 2 units in the
// last place of the larger of 1 and the result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace cohort::curand {

// The logarithm of a positive, normal number: 2 atanh(s) for s = f / (2 + f), plus a multiple of log(2) in two parts.
inline float log_of(float x) {
  const auto bits = std::bit_cast<int32_t>(x);
  const int32_t exponent = (bits - 0x3f3504f3) >> 23;  // 0 for numbers from sqrt(1/2) to sqrt(2)
  const float f = std::bit_cast<float>(bits - exponent * (1 << 23)) - 1.0f, half = 0.5f * f * f;
  const float s = f / (2.0f + f), z = s * s, e = static_cast<float>(exponent);
  const float series = z * (2.0f / 3 + z * (2.0f / 5 + z * (2.0f / 7 + z * (2.0f / 9))));
  return e * 0x1.62e3p-1f - ((half - (s * (half + series) + e * 0x1.2fefa2p-17f)) - f);
}
inline double log_of(double x) {
  constexpr uint64_t root_of_half = 0x3fe6a09e667f3bcd, bias = uint64_t{1023} << 52;
  const auto bits = std::bit_cast<uint64_t>(x);
  const uint64_t exponent = (bits - root_of_half + bias) >> 52;
  const double e = std::bit_cast<double>(exponent | uint64_t{0x433} << 52) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>(bits - (exponent << 52) + bias) - 1.0, half = 0.5 * f * f;
  const double s = f / (2.0 + f), z = s * s;
  double series = 2.0 / 23;
  for (int k = 21; k >= 3; k -= 2) series = series * z + 2.0 / k;
  series *= z;
  return e * 0x1.62e42feep-1 - ((half - (s * (half + series) + e * 0x1.a39ef35793c76p-33)) - f);
}

template <class Real>
struct sine_and_cosine {
  Real sine, cosine;
};

// Sine and cosine of an angle from 0 to 2 pi. Subtracts a multiple of pi / 2, which is split into parts to keep the
// remainder exact, then sums Taylor series.
inline sine_and_cosine<float> sine_and_cosine_of(float angle) {
  const auto quadrant = static_cast<int32_t>(angle * 0x1.45f306p-1f + 0.5f);
  const float q = static_cast<float>(quadrant);
  const float r = ((angle - q * 0x1.92p0f) - q * 0x1.fb4p-12f) - q * 0x1.4442d2p-24f, z = r * r;
  const float sine = r + r * z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040 + z * (1.0f / 362880))));
  const float cosine =
      1.0f - 0.5f * z + z * z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320 - z * (1.0f / 3628800))));
  const bool odd = (quadrant & 1) != 0;
  const auto sine_bits = std::bit_cast<uint32_t>(odd ? cosine : sine);
  const auto cosine_bits = std::bit_cast<uint32_t>(odd ? sine : cosine);
  const auto sign = static_cast<uint32_t>(quadrant);
  return {std::bit_cast<float>(sine_bits ^ (sign & 2) << 30),
          std::bit_cast<float>(cosine_bits ^ ((sign + 1) & 2) << 30)};
}
inline sine_and_cosine<double> sine_and_cosine_of(double angle) {
  constexpr double rounder = 0x1.8p52;  // the lowest bits of x + rounder are x, rounded to an integer
  const double shifted = angle * 0x1.45f306dc9c883p-1 + rounder, q = shifted - rounder;
  const auto quadrant = std::bit_cast<uint64_t>(shifted);
  const double r = (angle - q * 0x1.921fb544p0) - q * 0x1.0b4611a626331p-34, z = r * r;
  constexpr double sines[] = {1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
                              1 / 362880.0,          -1 / 5040.0,          1 / 120.0,        -1 / 6.0};
  constexpr double cosines[] = {1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0, -1 / 3628800.0,
                                1 / 40320.0,          -1 / 720.0,         1 / 24.0};
  double sine = 0, cosine = 0;
  for (const double c : sines) sine = sine * z + c;
  for (const double c : cosines) cosine = cosine * z + c;
  sine = r + r * z * sine;
  cosine = 1.0 - 0.5 * z + z * z * cosine;
  const uint64_t odd = 0 - (quadrant & 1);
  const auto sine_bits = std::bit_cast<uint64_t>(sine), cosine_bits = std::bit_cast<uint64_t>(cosine);
  const uint64_t difference = (sine_bits ^ cosine_bits) & odd;
  return {std::bit_cast<double>((sine_bits ^ difference) ^ (quadrant & 2) << 62),
          std::bit_cast<double>((cosine_bits ^ difference) ^ ((quadrant + 1) & 2) << 62)};
}

// Computes exp(x). It multiplies by 2^n in two factors, because a single one may overflow.
inline float exp_of(float x) {
  const float bounded = x < -120.0f ? -120.0f : x > 100.0f ? 100.0f : x;
  const float shifted = bounded * 0x1.715476p0f + 0x1.8p23f, n = shifted - 0x1.8p23f;
  const float r = (bounded - n * 0x1.62e3p-1f) - n * 0x1.2fefa2p-17f;
  const float series =
      1 + r * (1 + r * (1.0f / 2 + r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r / 5040))))));
  const auto power = static_cast<int32_t>(n), low = power >> 1;
  const float scaled =
      series * std::bit_cast<float>((low + 127) << 23) * std::bit_cast<float>((power - low + 127) << 23);
  return x == x ? scaled : x;
}
inline double exp_of(double x) {
  const double bounded = x < -800.0 ? -800.0 : x > 800.0 ? 800.0 : x;
  const double shifted = bounded * 0x1.71547652b82fep0 + 0x1.8p52, n = shifted - 0x1.8p52;
  const double r = (bounded - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  constexpr double terms[] = {
      1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0, 1 / 40320.0, 1 / 5040.0,
      1 / 720.0,        1 / 120.0,       1 / 24.0,       1 / 6.0,       1 / 2.0,      1.0,         1.0};
  double series = 0;
  for (const double term : terms) series = series * r + term;
  const uint64_t biased = (std::bit_cast<uint64_t>(shifted) & 0xfffff) + 2048;  // n + 2048 modulo 2^20
  const uint64_t low = (biased >> 1 & 0x3ffff) - 1024 + 1023;
  const uint64_t high = biased - 2048 - (low - 1023) + 1023;
  const double scaled =
      series * std::bit_cast<double>((low & 0x7ff) << 52) * std::bit_cast<double>((high & 0x7ff) << 52);
  return x == x ? scaled : x;
}

template <class Real>
struct normal_pair {
  Real x, y;
};

// Two normal numbers by the Box-Muller transform: `u` is in (0, 1], `angle` is in radians.
template <class Real>
normal_pair<Real> box_muller(Real u, Real angle) {
  const Real radius = std::sqrt(Real{-2} * log_of(u));
  const sine_and_cosine<Real> pair = sine_and_cosine_of(angle);
  return {pair.sine * radius, pair.cosine * radius};
}

// Writes pairs of normal numbers from unit(i) and angle(i), `stride` numbers from one pair to the next. Each step has a
// loop of its own: compilers do not vectorize one loop with conversions and with interleaved stores.
template <class Real, class Unit, class Angle>
void write_normal_pairs(size_t count, Real* out, size_t stride, const Unit& unit, const Angle& angle) {
  constexpr size_t tile = 64;
  Real u[tile], v[tile];
  for (size_t first = 0; first < count; first += tile) {
    const size_t n = std::min(tile, count - first);
    for (size_t i = 0; i < n; ++i) u[i] = unit(first + i), v[i] = angle(first + i);
    for (size_t i = 0; i < n; ++i) {
      const normal_pair<Real> pair = box_muller(u[i], v[i]);
      u[i] = pair.x, v[i] = pair.y;
    }
    Real* const to = out + first * stride;
    for (size_t i = 0; i < n; ++i) to[i * stride] = u[i], to[i * stride + 1] = v[i];
  }
}

inline constexpr uint32_t far_tail = 4096;

// The normal quantile of (word + 1/2) / 2^32: the inverse error function by two polynomials in -log(4 p (1 - p))
// (Giles, "Approximating the erfinv function", 2010). The error is below 1e-6 for words that are at least `far_tail`
// away from the ends.
inline float normal_quantile_of_word(uint32_t word) {
  // A complement is a subtraction from a mask: g++ 12 computes ~word by an instruction that waits for the loop's last
  // result.
  const int32_t upper = static_cast<int32_t>(word) >> 31;   // 0, or -1 in the upper half
  const int32_t near = static_cast<int32_t>(word) ^ upper;  // the distance to the nearer end
  const float p = static_cast<float>(near) * 0x1p-32f + 0x1p-33f;
  const float x = static_cast<float>(0x7fffffff - near) * 0x1p-31f + 0x1p-32f;  // 1 - 2 p
  const float w = -log_of(4.0f * p * (1.0f - p));
  const float a = w - 2.5f, b = std::sqrt(w < 0.0f ? 0.0f : w) - 3.0f;
  constexpr float center[] = {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                              -0.00125372503f, -0.00417768164f, 0.246640727f,    1.50140941f};
  constexpr float tail[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f,
                            -0.0076224613f,   0.00943887047f,  1.00167406f,    2.83297682f};
  float of_center = 0, of_tail = 0;
  for (int k = 0; k < 9; ++k) of_center = of_center * a + center[k], of_tail = of_tail * b + tail[k];
  const float magnitude = (w < 5.0f ? of_center : of_tail) * x * 0x1.6a09e6p0f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) ^ (~word & 0x80000000u));
}

}  // namespace cohort::curand
