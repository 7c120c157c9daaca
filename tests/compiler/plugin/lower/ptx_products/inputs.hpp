// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of matrix products: random numbers of ten kinds, equal on each machine. They fill registers without regard to
// the layout of the fragments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

enum kind_of_inputs {
  close_exponents,
  medium_exponents,
  all_exponents,
  few_products,
  subnormal_results,
  overflows,
  infinities_and_nans,
  random_bits,
  cancellation,
  small_accumulators,
  kinds_of_inputs
};

constexpr unsigned input_warps = 64;

// A number of the format has a sign, then exponent and fraction; an exponent of `largest` is finite.
struct number_format {
  int exponent_bits, fraction_bits;
  bool has_infinity = true;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int top() const { return (1 << exponent_bits) - 1; }
  constexpr int largest() const { return has_infinity ? top() - 1 : top(); }
  constexpr int width() const { return 1 + exponent_bits + fraction_bits; }
  constexpr bool is_large() const { return exponent_bits >= 8; }
};

enum class element_type { f16, bf16, tf32, e4m3, e5m2, f32, f64, s32, raw };

constexpr number_format format_of(element_type type) {
  constexpr number_format formats[] = {{5, 10}, {8, 7}, {8, 23}, {4, 3, false}, {5, 2}, {8, 23}, {11, 52}};
  return formats[static_cast<int>(type)];
}

class input_generator {
 public:
  // `name` is the instruction's, and selects the sequence.
  input_generator(const char* name, int kind) : kind_(kind), state_(1469598103934665603u) {
    for (; *name; ++name) {
      state_ = (state_ ^ static_cast<uint8_t>(*name)) * 1099511628211u;
    }
    state_ += 7919u * static_cast<uint64_t>(kind);
  }

  uint64_t random() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Fills 32-bit words with elements. `of_a` is the type of A, because an accumulator should match the size of A's
  // products.
  std::vector<uint32_t> words(size_t count, element_type type, bool is_accumulator, element_type of_a) {
    std::vector<uint32_t> made(count);
    const bool is_word = type == element_type::raw || type == element_type::s32;
    const int width = is_word ? 32 : format_of(type).width();
    for (size_t i = 0; i < count; ++i) {
      for (int at = 0; at < 32; at += width) {
        const uint64_t bits = is_word ? integer(type) : number(format_of(type), is_accumulator, format_of(of_a));
        made[i] |= static_cast<uint32_t>(bits) << at;
        if (width == 64) {
          made[++i] = static_cast<uint32_t>(bits >> 32);
        }
      }
    }
    return made;
  }

  // Metadata of a sparse A: the positions of the stored elements in each group of four, or of two.
  std::vector<uint32_t> metadata(size_t count, int chosen) {
    constexpr uint32_t two_of_four[] = {4, 8, 9, 12, 13, 14}, one_of_two[] = {4, 14};
    std::vector<uint32_t> made(count);
    for (uint32_t& word : made) {
      for (int at = 0; at < 32; at += 4) {
        word |= (chosen == 2 ? two_of_four[random() % 6] : one_of_two[random() % 2]) << at;
      }
    }
    return made;
  }

 private:
  uint64_t integer(element_type type) {
    const uint64_t bits = random();
    if (type == element_type::raw || kind_ % 3 == 0) {
      return static_cast<uint32_t>(bits);
    }
    return kind_ % 3 == 1 ? static_cast<uint32_t>(0x7fffffff - bits % 5000)
                          : static_cast<uint32_t>(0x80000000u + bits % 5000);
  }

  uint64_t number(const number_format& format, bool is_accumulator, const number_format& of_a) {
    uint64_t fraction = random() & ((uint64_t{1} << format.fraction_bits) - 1);
    const uint64_t sign = (random() & 1) << (format.width() - 1), choice = random();
    bool is_zero = random() % 17 == 0;
    auto between = [&](int low, int high) {
      return low + static_cast<int>(choice % static_cast<uint64_t>(high - low + 1));
    };
    const int bias = format.bias(), half = bias / 2;
    int exponent = 0;
    switch (kind_) {
      case close_exponents:
        exponent = bias + (is_accumulator ? between(-3, 6) : between(-2, 1));
        break;
      case medium_exponents:
        exponent = bias + (is_accumulator ? between(-20, 20) : between(-10, 9));
        break;
      case all_exponents:
        exponent = between(0, format.largest());
        break;
      case few_products:
        is_zero = is_accumulator ? random() % 9 == 0 : random() % 3 != 0;
        exponent = bias + (is_accumulator ? between(-26, 26) : between(-13, 13));
        break;
      case subnormal_results:
        if (is_accumulator) {
          const int of_product = of_a.exponent_bits == 11 ? 511 : of_a.is_large() ? 63 : of_a.bias();
          exponent = bias - 2 * of_product + between(-40, 10);
        } else {
          exponent = format.is_large() ? half + between(-14, 6) : between(0, 2);
        }
        break;
      case overflows:
        if (is_accumulator) {
          exponent = random() & 1 ? format.largest() - between(0, 3) : bias + 2 * of_a.bias() + between(-6, 5);
        } else {
          exponent = format.is_large() ? bias + half + between(-3, 1) : format.largest() - between(0, 2);
        }
        break;
      case infinities_and_nans:
        exponent = bias + (is_accumulator ? between(-20, 20) : between(-10, 9));
        if (random() % (is_accumulator ? 12 : 60) == 0) {
          fraction = random() & 1 ? 0 : fraction;
          return sign | static_cast<uint64_t>(format.top()) << format.fraction_bits |
                 (format.has_infinity ? fraction : 7);
        }
        break;
      case random_bits:
        return format.width() == 64 ? random() : random() & ((uint64_t{1} << format.width()) - 1);
      case cancellation:
        is_zero = random() % 3 == 0;
        exponent = bias + between(-1, 1);
        fraction = random() % 3 == 0 ? uint64_t{1} << (format.fraction_bits - 1) : 0;
        break;
      default:
        exponent = bias + (is_accumulator ? between(-8, 8) : between(-5, 4));
        is_zero = is_accumulator && random() % 2 != 0;
        break;
    }
    if (is_zero) {
      return sign;
    }
    const bool is_special = kind_ == infinities_and_nans && exponent == format.top();
    exponent = is_special ? exponent : std::clamp(exponent, 0, format.largest());
    if (!format.has_infinity && exponent == format.top() && fraction == 7 && kind_ != infinities_and_nans) {
      fraction = 6;  // 7 is NaN
    }
    return sign | static_cast<uint64_t>(exponent) << format.fraction_bits | fraction;
  }

  int kind_;
  uint64_t state_;
};
