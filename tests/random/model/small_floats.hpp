// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's 16-bit floats. Sums and products of two are exact in double, or far from a tie; then they are rounded.
#pragma once

#include <cmath>

#include "../kernel_support.hpp"

// A format with `Mantissa` fraction bits and exponents from `Least` to `Most`.
template <int Mantissa, int Least, int Most>
struct model_float {
  u16 bits;

  static model_float rounded(double x) {
    const u16 sign = std::signbit(x) ? 0x8000 : 0;
    double size = std::fabs(x);
    if (size != size) return {0x7fff};
    if (size == 0) return {sign};
    int exponent = std::ilogb(size);
    if (exponent < Least) exponent = Least;
    const double units = std::nearbyint(std::ldexp(size, Mantissa - exponent));  // rounds to nearest, ties to even
    size = std::ldexp(units, exponent - Mantissa);
    if (size >= std::ldexp(1.0, Most + 1)) return {static_cast<u16>(sign | ((Most - Least + 2) << Mantissa))};
    if (size < std::ldexp(1.0, Least)) return {static_cast<u16>(sign | static_cast<u16>(units))};
    exponent = std::ilogb(size);
    const u32 rest = static_cast<u32>(std::ldexp(size, Mantissa - exponent)) - (1u << Mantissa);
    return {static_cast<u16>(sign | static_cast<u32>(exponent - Least + 1) << Mantissa | rest)};
  }
  double value() const {
    const int exponent = (bits & 0x7fff) >> Mantissa, rest = bits & ((1 << Mantissa) - 1);
    const double size = exponent == 0 ? std::ldexp(double(rest), Least - Mantissa)
                                      : std::ldexp(double(rest + (1 << Mantissa)), exponent - 1 + Least - Mantissa);
    return (bits & 0x8000) ? -size : size;
  }
  friend model_float operator+(model_float a, model_float b) { return rounded(a.value() + b.value()); }
  friend model_float operator*(model_float a, model_float b) { return rounded(a.value() * b.value()); }
};

using __half = model_float<10, -14, 15>;
using __nv_bfloat16 = model_float<7, -126, 127>;

inline __half __float2half(f32 x) { return __half::rounded(x); }
inline f32 __half2float(__half x) { return static_cast<f32>(x.value()); }
inline __half __ushort_as_half(u16 x) { return {x}; }
inline u16 __half_as_ushort(__half x) { return x.bits; }
inline __nv_bfloat16 __float2bfloat16(f32 x) { return __nv_bfloat16::rounded(x); }
inline f32 __bfloat162float(__nv_bfloat16 x) { return static_cast<f32>(x.value()); }
inline __nv_bfloat16 __ushort_as_bfloat16(u16 x) { return {x}; }
inline u16 __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
