// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fast products against chains of std::fma, bit for bit, and against the documented bound of their error. Fragments are
// laid out as in the PTX ISA. Products without a fast form keep the bits of the exact form.
#include "engine/tensor/fast_products.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "engine/tensor/matrix_product.hpp"
#include "engine/tensor/warpgroup_product.hpp"

namespace {

using namespace cohort::engine;

struct FastProducts : ::testing::TestWithParam<fast_code> {
  void SetUp() override {
    if (fast_code_of_cpu() < GetParam()) GTEST_SKIP() << "this CPU lacks the vectors";
    use_fast_products(GetParam());
  }
  void TearDown() override { use_fast_products(fast_code::none); }
};
INSTANTIATE_TEST_SUITE_P(Vectors, FastProducts, ::testing::Values(fast_code::avx2, fast_code::avx512));

float float_of(uint32_t bits, int element) {
  if (element == cohort_element_bf16) return std::bit_cast<float>(bits << 16);
  if (element == cohort_element_tf32) return std::bit_cast<float>(bits & ~0x1fffu);
  if (element == cohort_element_f32) return std::bit_cast<float>(bits);
  const auto exponent = static_cast<int>(bits >> 10 & 31u);
  const auto fraction = static_cast<float>(bits & 1023u);
  const float magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(fraction, -24)
                                          : std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(magnitude, (bits & 0x8000u) != 0 ? -1.0f : 1.0f);
}

uint32_t half_of(float value) {
  const uint32_t sign = std::signbit(value) ? 0x8000u : 0;
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00u;
  if (magnitude < 0x1p-14f) return sign | static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, 24)));
  const int exponent = std::ilogb(magnitude);
  const auto significand = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | ((static_cast<uint32_t>(exponent + 14) << 10) + significand);
}

// The bits of element `d` of D by a chain of fused multiply-adds in ascending k.
uint32_t chain(const float* a, const float* b, unsigned k, float c, int d) {
  for (unsigned i = 0; i < k; ++i) c = std::fma(a[i], b[i], c);
  if (std::isnan(c)) return d == cohort_element_f16 ? 0x7fffu : 0x7fffffffu;
  return d == cohort_element_f16 ? half_of(c) : std::bit_cast<uint32_t>(c);
}

void expect_small_error(const float* a, const float* b, unsigned k, float c, float got, int d) {
  long double exact = c, magnitude = std::fabs(c);
  for (unsigned i = 0; i < k; ++i) {
    exact += static_cast<long double>(a[i]) * b[i];
    magnitude += std::fabs(static_cast<long double>(a[i]) * b[i]);
  }
  const bool overflows = d == cohort_element_f16 ? magnitude >= 65504 : magnitude >= 0x1p127L;
  if (!std::isfinite(magnitude) || overflows) return;
  const long double unit = 0x1p-24L, of_chain = k * unit / (1 - k * unit) * magnitude + k * 0x1p-150L;
  const long double of_half = std::max((std::fabs(exact) + of_chain) * 0x1p-11L, 0x1p-25L);
  EXPECT_LE(std::fabs(got - exact), of_chain + (d == cohort_element_f16 ? of_half : 0));
}

// A random number. `kind` selects close exponents, all exponents, or any bits, which include infinities and NaN.
uint32_t random_bits(std::mt19937& random, int element, unsigned kind) {
  const bool is_half = element == cohort_element_f16;
  const unsigned fraction_bits = is_half ? 10 : element == cohort_element_bf16 ? 7 : 23;
  const unsigned width = bits_of(element), exponent_bits = width - 1 - fraction_bits;
  const uint32_t any = random() >> (32 - width);
  if (kind == 2 && random() % 4 == 0) return any;
  const uint32_t bias = (1u << (exponent_bits - 1)) - 1;
  const uint32_t exponent = kind == 0 ? bias - 3 + random() % 6 : random() % (2 * bias + 1);
  const uint32_t others = any & ~(((1u << exponent_bits) - 1) << fraction_bits);
  return random() % 11 == 0 ? any & (1u << (width - 1)) : others | exponent << fraction_bits;
}

struct matrices {
  uint32_t a[64][16], b[16][64], c[64][64];  // the bits of the elements

  void fill(std::mt19937& random, int element, int sum, unsigned kind) {
    for (auto& row : a) {
      for (uint32_t& each : row) each = random_bits(random, element, kind);
    }
    for (auto& row : b) {
      for (uint32_t& each : row) each = random_bits(random, element, kind);
    }
    for (auto& row : c) {
      for (uint32_t& each : row) each = random_bits(random, sum, kind);
    }
  }

  void check(unsigned row, unsigned column, unsigned k, int element, int sum, bool adds, uint32_t got) const {
    float of_a[16], of_b[16];
    for (unsigned i = 0; i < k; ++i) {
      of_a[i] = float_of(a[row][i], element);
      of_b[i] = float_of(b[i][column], element);
    }
    const float of_c = adds ? float_of(c[row][column], sum) : 0;
    EXPECT_EQ(got, chain(of_a, of_b, k, of_c, sum)) << "row " << row << ", column " << column;
    expect_small_error(of_a, of_b, k, of_c, float_of(got, sum), sum);
  }
};

struct covered {
  int element, sum;
  unsigned k;
};
constexpr covered all_covered[] = {
    {cohort_element_f16, cohort_element_f32, 8},  {cohort_element_f16, cohort_element_f32, 16},
    {cohort_element_f16, cohort_element_f16, 8},  {cohort_element_f16, cohort_element_f16, 16},
    {cohort_element_bf16, cohort_element_f32, 8}, {cohort_element_bf16, cohort_element_f32, 16},
    {cohort_element_tf32, cohort_element_f32, 4}, {cohort_element_tf32, cohort_element_f32, 8},
};

cohort_matrix_form form_of(const covered& of) {
  const auto element = static_cast<uint8_t>(of.element), sum = static_cast<uint8_t>(of.sum);
  return {16, 8, static_cast<uint8_t>(of.k / 4), element, element, sum, sum, 0};
}

// Calls use(register, lane, position in the register, row, column) for the elements of a fragment of A, with `bits`.
template <class Use>
void for_a(unsigned k, unsigned bits, Use use) {
  const unsigned per_word = 32 / bits;
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned i = 0; i < k; ++i) {
      const unsigned word = i / per_word;
      use(word / 4 * 2 + row / 8, row % 8 * 4 + word % 4, i % per_word, row, i);
    }
  }
}
template <class Use>
void for_sums(unsigned bits, Use use) {
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      const unsigned lane = row % 8 * 4 + column / 2;
      if (bits == 16) {
        use(row / 8, lane, column % 2, row, column);
      } else {
        use(row / 8 * 2 + column % 2, lane, 0u, row, column);
      }
    }
  }
}

TEST_P(FastProducts, AreChainsOfFusedProducts) {
  std::mt19937 random(5);
  for (const covered& of : all_covered) {
    const cohort_matrix_form form = form_of(of);
    ASSERT_NE(fast_product_of(form), nullptr);
    const product_shape shape(form);
    const unsigned bits = bits_of(of.element), sum_bits = bits_of(of.sum), per_word = 32 / bits;
    for (unsigned round = 0; round < 300; ++round) {
      matrices m;
      m.fill(random, of.element, of.sum, round % 3);
      cohort_matrix_registers r = {};
      for_a(of.k, bits, [&](unsigned number, unsigned lane, unsigned position, unsigned row, unsigned column) {
        r.words[shape.a_begin + number][lane] |= m.a[row][column] << (bits * position % 32);
      });
      for (unsigned i = 0; i < of.k; ++i) {
        for (unsigned column = 0; column < 8; ++column) {
          const unsigned word = i / per_word;
          r.words[shape.b_begin + word / 4][4 * column + word % 4] |= m.b[i][column] << (bits * (i % per_word) % 32);
        }
      }
      for_sums(sum_bits, [&](unsigned number, unsigned lane, unsigned position, unsigned row, unsigned column) {
        r.words[number][lane] |= m.c[row][column] << (16 * position);
      });
      multiply_registers(form, r);
      for_sums(sum_bits, [&](unsigned number, unsigned lane, unsigned position, unsigned row, unsigned column) {
        const uint32_t word = r.words[number][lane];
        m.check(row, column, of.k, of.element, of.sum, true, sum_bits == 16 ? word >> (16 * position) & 0xffffu : word);
      });
    }
  }
}

// The rows of one warp in a warpgroup's product with 16 columns.
TEST_P(FastProducts, OfAWarpgroupAreChains) {
  std::mt19937 random(7);
  alignas(1024) static char shared[4096];
  for (const covered& of : all_covered) {
    const unsigned bits = bits_of(of.element);
    if (of.k * bits != 256) continue;
    for (unsigned round = 0; round < 96; ++round) {
      matrices m;
      m.fill(random, of.element, of.sum, round % 3);
      const bool adds = round % 2 != 0;
      const bool in_registers = round % 4 >= 2;
      const unsigned warp = round % 4;
      constexpr unsigned leading = 128, stride = 256, b_offset = 2048;
      auto put = [&](unsigned start, unsigned line, unsigned k, uint32_t value) {
        const unsigned at = k * bits / 8;
        std::memcpy(shared + start + line % 8 * 16 + line / 8 * stride + at / 16 * leading + at % 16, &value, bits / 8);
      };
      uint32_t of_a[32][4] = {};
      for (unsigned line = 0; line < 64; ++line) {
        for (unsigned i = 0; i < of.k; ++i) put(0, line, i, m.a[line][i]);
      }
      for_a(of.k, bits, [&](unsigned number, unsigned lane, unsigned position, unsigned row, unsigned column) {
        of_a[lane][number] |= m.a[16 * warp + row][column] << (bits * position % 32);
      });
      for (unsigned line = 0; line < 16; ++line) {
        for (unsigned i = 0; i < of.k; ++i) put(b_offset, line, i, m.b[i][line]);
      }
      auto descriptor = [&](unsigned offset) {
        const auto address = reinterpret_cast<uintptr_t>(shared + offset);
        return (address >> 4 & 0x3fffu) | uint64_t{leading >> 4} << 16 | uint64_t{stride >> 4} << 32;
      };
      const unsigned registers = bits_of(of.sum) == 16 ? 4 : 8;
      uint32_t sums[32 * 8] = {};
      uint32_t* places[32 * 8];
      for (unsigned i = 0; i < 32 * registers; ++i) places[i] = &sums[(i * 5) % (32 * registers)];  // scattered
      auto for_each = [&](auto use) {
        for (unsigned group = 0; group < 2; ++group) {
          for_sums(bits_of(of.sum),
                   [&](unsigned number, unsigned lane, unsigned position, unsigned row, unsigned column) {
                     use(*places[lane * registers + group * registers / 2 + number], position, 16 * warp + row,
                         8 * group + column);
                   });
        }
      };
      for_each([&](uint32_t& word, unsigned position, unsigned row, unsigned column) {
        word |= m.c[row][column] << (16 * position);
      });
      const auto element = static_cast<uint8_t>(of.element);
      const auto flags = static_cast<uint16_t>(in_registers ? cohort_warpgroup_a_is_registers : 0);
      multiply_in_warpgroup(
          {{2, static_cast<uint8_t>(of.k / 8), element, element, static_cast<uint8_t>(of.sum), 0, flags},
           shared,
           descriptor(0),
           descriptor(b_offset),
           of_a,
           nullptr,
           places,
           adds,
           warp});
      for_each([&](const uint32_t& word, unsigned position, unsigned row, unsigned column) {
        m.check(row, column, of.k, of.element, of.sum, adds,
                bits_of(of.sum) == 16 ? word >> (16 * position) & 0xffffu : word);
      });
    }
  }
}

TEST_P(FastProducts, LeaveOtherProductsExact) {
  const cohort_matrix_form exact[] = {
      {16, 8, 8, cohort_element_e4m3, cohort_element_e5m2, cohort_element_f32, cohort_element_f32, 0},
      {16, 8, 8, cohort_element_s8, cohort_element_u8, cohort_element_s32, cohort_element_s32, 0},
      {8, 8, 1, cohort_element_f64, cohort_element_f64, cohort_element_f64, cohort_element_f64, 0},
      {8, 8, 1, cohort_element_f16, cohort_element_f16, cohort_element_f32, cohort_element_f32, 0},
      {16, 8, 4, cohort_element_f16, cohort_element_f16, cohort_element_f32, cohort_element_f32,
       cohort_matrix_is_sparse},
  };
  std::mt19937 random(9);
  for (const cohort_matrix_form& form : exact) {
    EXPECT_EQ(fast_product_of(form), nullptr);
    cohort_matrix_registers by_exact;
    for (uint32_t& word : by_exact.metadata) word = 0x4e4e4e4eu;
    for (auto& words : by_exact.words) {
      for (uint32_t& word : words) word = random_bits(random, cohort_element_f16, 0) * 0x10001u;
    }
    cohort_matrix_registers by_fast = by_exact;
    multiply_registers(form, by_fast);
    use_fast_products(fast_code::none);
    multiply_registers(form, by_exact);
    use_fast_products(GetParam());
    EXPECT_EQ(std::memcmp(&by_fast, &by_exact, sizeof by_fast), 0);
  }
}

// The default rounds towards zero, as a tensor core does.
TEST_P(FastProducts, AreSelected) {
  const cohort_matrix_form form = form_of(all_covered[1]);
  const product_shape shape(form);
  auto first_element = [&] {
    cohort_matrix_registers r = {};
    r.words[0][0] = std::bit_cast<uint32_t>(1.0f);
    r.words[shape.a_begin][0] = 0x0400;  // 2^-14
    r.words[shape.b_begin][0] = 0x17ff;  // nearly 2^-9: beyond half of the last place of 1
    multiply_registers(form, r);
    return r.words[0][0];
  };
  EXPECT_EQ(first_element(), std::bit_cast<uint32_t>(1.0f) + 1);
  use_fast_products(fast_code::none);
  EXPECT_EQ(first_element(), std::bit_cast<uint32_t>(1.0f));
}

}  // namespace
