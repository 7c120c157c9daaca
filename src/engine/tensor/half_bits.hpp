// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between f32 and the bits of f16, without an instruction or a type of the CPU for it.
#pragma once

#include <bit>
#include <cstdint>

namespace cohort::engine {

/// The value of the low 16 bits. The quiet bit of a NaN is not kept.
inline float float_of_half(uint32_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16, rest = (bits & 0x7fffu) << 13;
  if (rest >= 0x7c00u << 13) {
    return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x7fffffu));
  }
  // The exponents differ by 112; the product also makes subnormal halves normal.
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(std::bit_cast<float>(rest) * 0x1p112f));
}

/// The f16 bits of an 8-bit float (e4m3 or e5m2) in the low 8 bits of `bits`. The upper bits have no effect.
inline uint32_t half_of_byte(uint32_t bits, bool is_e4m3) {
  if (!is_e4m3) {
    return (bits & 0xffu) << 8;
  }
  const uint32_t sign = (bits & 0x80u) << 8, rest = bits & 0x7fu;
  if (rest == 0x7fu) {
    return sign | 0x7fffu;
  }
  if (rest >= 8) {
    return sign | ((rest << 7) + (8u << 10));  // the exponents differ by 8
  }
  if (rest == 0) {
    return sign;
  }
  const auto shift = static_cast<uint32_t>(std::countl_zero(rest)) - 28;  // makes the subnormal number normal
  return sign | (((rest << shift) & 7u) << 7) | ((9 - shift) << 10);
}

/// The nearest half, ties to even. pre: `value` is not NaN
inline uint32_t half_of_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x477ff000u) {  // from 65520 on, a number becomes infinity
    return sign | 0x7c00u;
  }
  if (magnitude < 0x38800000u) {  // below 2^-14: the unit is 2^-24, that of the sum with 0.5
    return sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u);
  }
  return sign | ((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13);
}

}  // namespace cohort::engine
