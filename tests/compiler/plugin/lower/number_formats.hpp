// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of floating-point formats on the host: rounds, encodes and decodes numbers by digits and exponents.
#pragma once

#include <cmath>
#include <cstdint>

struct format {
  int digits, least, largest;  // digits of the significand; exponents of normal numbers
  double maximum;
  int bits;
};

constexpr format f16 = {11, -14, 15, 65504, 16}, bf16 = {8, -126, 127, 0x1.fep127, 16};
constexpr format tf32 = {11, -126, 127, 0x1.ffcp127, 32}, f32 = {24, -126, 127, 0x1.fffffep127, 32};
constexpr format f64 = {53, -1022, 1023, 0x1.fffffffffffffp1023, 64};
constexpr format e4m3 = {4, -6, 8, 448, 8}, e5m2 = {3, -14, 15, 57344, 8};

// Rounds to nearest even (n), to nearest away from zero (a), toward zero (z), up (p) or down (m).
inline long double round_to(long double x, const format& to, char mode) {
  if (x == 0 || std::isnan(x) || std::isinf(x)) return x;
  const int exponent = std::ilogb(x) < to.least ? to.least : std::ilogb(x);
  const long double units = std::ldexp(std::fabs(x), to.digits - 1 - exponent);
  const long double whole = std::floor(units), rest = units - whole;
  const bool is_odd = std::fmod(whole, 2.0L) != 0, is_negative = std::signbit(x);
  const bool grows = mode == 'n'   ? rest > 0.5L || (rest == 0.5L && is_odd)
                     : mode == 'a' ? rest >= 0.5L
                     : mode == 'p' ? rest > 0 && !is_negative
                     : mode == 'm' ? rest > 0 && is_negative
                                   : false;
  long double rounded = std::ldexp(whole + grows, exponent - to.digits + 1);
  if (rounded > to.maximum) {
    const bool stops = mode == 'z' || mode == (is_negative ? 'p' : 'm');
    rounded = stops ? static_cast<long double>(to.maximum) : static_cast<long double>(INFINITY);
  }
  return std::copysign(rounded, x);
}

// Encodes a number that the format can represent. In a NaN all bits are set except the sign.
inline uint64_t encode(long double x, const format& to) {
  const int mantissa = to.digits - 1, stored = &to == &tf32 ? 23 : mantissa;
  const uint64_t sign = static_cast<uint64_t>(std::signbit(x)) << (to.bits - 1);
  if (std::isnan(x)) return (uint64_t{1} << (to.bits - 1)) - 1;
  if (std::isinf(x)) return sign | static_cast<uint64_t>(to.largest - to.least + 2) << stored;
  if (x == 0) return sign;
  const int exponent = std::ilogb(x) < to.least ? to.least : std::ilogb(x);
  const auto units = static_cast<uint64_t>(std::ldexp(std::fabs(x), mantissa - exponent));
  return sign | ((static_cast<uint64_t>(exponent - to.least) << mantissa) + units) << (stored - mantissa);
}

// Decodes the bits of a format. E4M3 has numbers where other formats have infinity.
inline long double decode(unsigned bits, const format& from) {
  const int mantissa = from.digits - 1, width = from.bits - 1;
  const unsigned code = bits & ((1u << width) - 1), field = code >> mantissa, rest = code & ((1u << mantissa) - 1);
  const bool is_last = field == (1u << (width - mantissa)) - 1;
  long double x = std::ldexp(static_cast<long double>(rest + (field ? 1u << mantissa : 0)),
                             (field ? static_cast<int>(field) - 1 : 0) + from.least - mantissa);
  if (&from == &e4m3 ? code == 0x7f : is_last) {
    x = &from == &e4m3 || rest ? static_cast<long double>(NAN) : static_cast<long double>(INFINITY);
  }
  return bits >> width & 1 ? -x : x;
}
