// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers as a tensor core reads them: sign, exponent and integer significand.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>

#include <cstdint>

namespace cohort::engine {

/// A floating-point format. The bits of an element above its width are ignored.
struct float_format {
  int exponent_bits, fraction_bits;
  int dropped_bits;          // low bits of the register that the multiplier does not read
  bool has_infinity = true;  // false: the largest exponent holds numbers, and only a number with all bits set is NaN

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint32_t largest_exponent() const { return (1u << exponent_bits) - 1; }
};

constexpr float_format format_of(int element) {
  switch (element) {
    case cohort_element_f16:
      return {5, 10, 0};
    case cohort_element_bf16:
      return {8, 7, 0};
    case cohort_element_tf32:
      return {8, 10, 13};
    case cohort_element_e4m3:
      return {4, 3, 0, false};
    case cohort_element_e5m2:
      return {5, 2, 0};
    default:
      return {8, 23, 0};
  }
}

enum class number_kind : uint8_t { finite, infinity, nan };

/// The value is significand * 2^(exponent - fraction bits of its format), negated where the sign is set.
struct number {
  uint32_t significand;
  int32_t exponent;  // a subnormal number has the exponent of the smallest normal one
  bool is_negative;
  number_kind kind;
};

constexpr number decode(uint32_t bits, const float_format& format) {
  bits >>= format.dropped_bits;
  const uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
  const uint32_t exponent = (bits >> format.fraction_bits) & format.largest_exponent();
  const bool is_negative = ((bits >> (format.fraction_bits + format.exponent_bits)) & 1) != 0;
  const bool is_special =
      exponent == format.largest_exponent() && (format.has_infinity || fraction == (1u << format.fraction_bits) - 1);
  const number_kind kind = !is_special                            ? number_kind::finite
                           : format.has_infinity && fraction == 0 ? number_kind::infinity
                                                                  : number_kind::nan;
  const uint32_t hidden = exponent != 0 ? 1u << format.fraction_bits : 0;
  return {hidden | fraction, static_cast<int32_t>(exponent != 0 ? exponent : 1) - format.bias(), is_negative, kind};
}

}  // namespace cohort::engine
