// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a tensor core of an H100 (sm_90), as measured: docs/tensor-cores.md. Products are exact. Each addend is
// aligned to the largest exponent among them and truncated towards zero; the aligned sum is exact and rounded once. A
// result of zero is positive.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/tensor/number.hpp"

namespace cohort::engine {

enum class rounding : uint8_t { to_zero, to_nearest };

/// How one kind of tensor core adds.
struct sum_rule {
  int aligned_bits;   // bits kept below the largest exponent
  int result_bits;    // bits of the result's significand
  rounding rounds;    // how the result is rounded
  int result_format;  // cohort_element_f32 or cohort_element_f16, of the accumulator and the result
};

/// Bits of the NaN that a tensor core returns.
constexpr uint32_t canonical_nan(int format) { return format == cohort_element_f16 ? 0x7fffu : 0x7fffffffu; }

/// A sum of products and an accumulator, in two passes over the products: first their exponents, then their values.
class tensor_sum {
 public:
  constexpr tensor_sum(const sum_rule& rule, const float_format& a, const float_format& b, uint32_t accumulator)
      : rule_(rule),
        fraction_bits_(a.fraction_bits + b.fraction_bits),
        format_(format_of(rule.result_format)),
        accumulator_(decode(accumulator, format_)) {
    note(accumulator_.kind, accumulator_.is_negative);
    note_exponent(accumulator_.significand, accumulator_.exponent);
  }

  /// First pass: takes note of a product's exponent, or that the product is infinite or NaN.
  constexpr void find_exponent(const number& a, const number& b) {
    const bool is_negative = a.is_negative != b.is_negative;
    if (a.kind != number_kind::finite || b.kind != number_kind::finite) [[unlikely]] {
      const bool is_nan = a.kind == number_kind::nan || b.kind == number_kind::nan ||
                          (a.kind == number_kind::finite && a.significand == 0) ||
                          (b.kind == number_kind::finite && b.significand == 0);
      note(is_nan ? number_kind::nan : number_kind::infinity, is_negative);
      return;
    }
    note_exponent(uint64_t{a.significand} * b.significand, a.exponent + b.exponent);
  }

  /// Second pass: adds a product. pre: find_exponent() has seen all products
  constexpr void add(const number& a, const number& b) {
    add_aligned(uint64_t{a.significand} * b.significand, a.exponent + b.exponent, fraction_bits_,
                a.is_negative != b.is_negative);
  }

  /// The bits of the result.
  constexpr uint32_t result() {
    if (is_nan_ || (positive_infinity_ && negative_infinity_)) {
      return canonical_nan(rule_.result_format);
    }
    if (positive_infinity_ || negative_infinity_) {
      return infinity(negative_infinity_);
    }
    if (largest_ == none) {
      return 0;
    }
    add_aligned(accumulator_.significand, accumulator_.exponent, format_.fraction_bits, accumulator_.is_negative);
    return rounded();
  }

 private:
  static constexpr int32_t none = -100000;
  static constexpr int32_t smallest_alignment = -133;  // the least exponent that addends are aligned to

  constexpr uint32_t sign_bit() const { return 1u << (format_.exponent_bits + format_.fraction_bits); }
  constexpr uint32_t infinity(bool is_negative) const {
    return (is_negative ? sign_bit() : 0) | (format_.largest_exponent() << format_.fraction_bits);
  }

  constexpr void note(number_kind kind, bool is_negative) {
    is_nan_ = is_nan_ || kind == number_kind::nan;
    positive_infinity_ = positive_infinity_ || (kind == number_kind::infinity && !is_negative);
    negative_infinity_ = negative_infinity_ || (kind == number_kind::infinity && is_negative);
  }
  constexpr void note_exponent(uint64_t significand, int32_t exponent) {
    if (significand != 0) {
      largest_ = std::max({largest_, exponent, smallest_alignment});
    }
  }
  constexpr void add_aligned(uint64_t significand, int32_t exponent, int fraction_bits, bool is_negative) {
    const int32_t shift = exponent - largest_ + rule_.aligned_bits - fraction_bits;
    const uint64_t aligned = shift >= 0 ? significand << (shift & 63) : shift > -64 ? significand >> -shift : 0;
    sum_ += is_negative ? -static_cast<int64_t>(aligned) : static_cast<int64_t>(aligned);
  }

  constexpr uint32_t rounded() const {
    const bool is_negative = sum_ < 0;
    const uint64_t magnitude = is_negative ? -static_cast<uint64_t>(sum_) : static_cast<uint64_t>(sum_);
    if (magnitude == 0) {
      return 0;
    }
    // The value is magnitude * 2^unit. `kept`: bits of the significand that the result has.
    const int unit = largest_ - rule_.aligned_bits;
    const int length = 64 - std::countl_zero(magnitude);
    int exponent = unit + length - 1;
    const int smallest = 1 - format_.bias();
    const int kept = exponent >= smallest ? rule_.result_bits : rule_.result_bits - (smallest - exponent);
    const int dropped = length - kept;
    uint64_t significand = dropped <= 0 ? magnitude : dropped < 64 ? magnitude >> dropped : 0;
    if (rule_.rounds == rounding::to_nearest && dropped > 0 && dropped <= length) {
      const uint64_t half = uint64_t{1} << (dropped - 1), rest = magnitude & (2 * half - 1);
      significand += rest > half || (rest == half && (significand & 1) != 0) ? 1 : 0;
    }
    // The exponent of the last place of the result's format.
    const int last = (exponent >= smallest ? exponent : smallest) - format_.fraction_bits;
    const int shift = unit + (dropped > 0 ? dropped : 0) - last;
    const uint64_t in_places = shift >= 0 ? significand << shift : significand >> -shift;
    const int64_t biased = exponent >= smallest ? exponent + format_.bias() - 1 : 0;
    const uint64_t bits = (static_cast<uint64_t>(biased) << format_.fraction_bits) + in_places;
    if (bits >> format_.fraction_bits >= format_.largest_exponent()) {
      return infinity(is_negative);
    }
    return (is_negative && bits != 0 ? sign_bit() : 0) | static_cast<uint32_t>(bits);
  }

  const sum_rule& rule_;
  int fraction_bits_;
  float_format format_;
  number accumulator_;
  int32_t largest_ = none;
  int64_t sum_ = 0;
  bool is_nan_ = false, positive_infinity_ = false, negative_infinity_ = false;
};

}  // namespace cohort::engine
