// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of vector_math.hpp against those of the C++ library in long double.
#include "libraries/curand/vector_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"

namespace {

using namespace cohort::curand;

template <class Real>
class curand_math : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(curand_math, reals);

// The error in units in the last place of the larger of 1 and the exact result.
template <class Real>
double error_of(Real found, long double exact) {
  const long double unit = std::numeric_limits<Real>::epsilon() * std::max(1.0L, std::fabs(exact));
  return static_cast<double>(std::fabs(found - exact) / unit);
}

TYPED_TEST(curand_math, is_as_exact_as_its_type) {
  std::mt19937_64 words(7);
  for (int i = 0; i < 20001; ++i) {
    const double unit = static_cast<double>(words() >> 11) * 0x1p-53 + 0x1p-54;
    const auto x = static_cast<TypeParam>(i % 3 == 0 ? std::exp2(-33 * unit) : unit);
    ASSERT_LT(error_of(log_of(x), std::log(static_cast<long double>(x))), 1.0) << x;
    const auto angle =
        static_cast<TypeParam>(i % 100 == 0 ? 1.5707963267948966 * (i / 100 % 5) : unit * 6.283185307179586);
    const auto pair = sine_and_cosine_of(angle);
    ASSERT_LT(error_of(pair.sine, std::sin(static_cast<long double>(angle))), 1.0) << angle;
    ASSERT_LT(error_of(pair.cosine, std::cos(static_cast<long double>(angle))), 1.0) << angle;
    const auto power = static_cast<TypeParam>((unit - 0.5) * (sizeof(TypeParam) == 4 ? 170 : 1400));
    const long double exact = std::exp(static_cast<long double>(power));
    ASSERT_LT(std::fabs(exp_of(power) / exact - 1), 2 * std::numeric_limits<TypeParam>::epsilon()) << power;
  }
  const TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  EXPECT_EQ(exp_of(infinity), infinity);
  EXPECT_EQ(exp_of(-infinity), TypeParam{0});
  EXPECT_TRUE(std::isnan(exp_of(std::numeric_limits<TypeParam>::quiet_NaN())));
  EXPECT_EQ(exp_of(TypeParam{0}), TypeParam{1});
}

#if defined(__x86_64__)
// Pairs of normal numbers, then powers, computed from an odd count of uniform numbers by a loop that `run` compiles.
template <class Real, class Run>
std::vector<Real> numbers_by(const Run& run) {
  constexpr size_t count = 1021;
  std::mt19937_64 words(3);
  std::vector<Real> units(count), made(3 * count);
  for (Real& unit : units) unit = static_cast<Real>(static_cast<double>(words() >> 11) * 0x1p-53 + 0x1p-54);
  run([from = units.data(), to = made.data()] {
    for (size_t i = 0; i < count; ++i) {
      const normal_pair<Real> pair = box_muller(from[i], from[count - 1 - i] * Real(6.283185307179586));
      to[i] = pair.x, to[count + i] = pair.y;
    }
    for (size_t i = 0; i < count; ++i) to[2 * count + i] = exp_of(to[i]);
  });
  return made;
}

TYPED_TEST(curand_math, has_equal_bits_for_each_width_of_vectors) {
  using namespace cohort::libraries;
  const std::vector<TypeParam> plain = numbers_by<TypeParam>([](auto body) { body(); });
  if (widest_of_cpu() == vector_width::plain) GTEST_SKIP() << "the CPU has no AVX2";
  EXPECT_EQ(plain, numbers_by<TypeParam>([](auto body) { with_avx2(body); }));
  if (widest_of_cpu() == vector_width::avx2) GTEST_SKIP() << "the CPU has no AVX-512";
  EXPECT_EQ(plain, numbers_by<TypeParam>([](auto body) { with_avx512(body); }));
}
#endif

// The normal distribution of a quantile is its probability.
TEST(curand_quantiles, invert_the_normal_distribution) {
  std::mt19937 words(11);
  for (int i = 0; i < 20001; ++i) {
    uint32_t word = static_cast<uint32_t>(words());
    if (i % 3 == 0) word >>= i % 31;
    if (i % 6 == 0) word = ~word;
    const double probability = word * 0x1p-32 + 0x1p-33;
    double quantile = probability;
    normal_quantiles(&quantile, 1);
    const bool upper = quantile > 0;  // compares the smaller tail, which erfc computes without cancellation
    const double tail = 0.5 * std::erfc(std::fabs(quantile) / std::sqrt(2.0));
    EXPECT_NEAR(tail / (upper ? 1 - probability : probability), 1.0, 1e-13) << word;
    float single = 0;
    normal_quantiles_of_words(&word, 1, &single);
    EXPECT_NEAR(single, quantile, 1e-6 * std::max(1.0, std::fabs(quantile))) << word;
  }
}

TEST(curand_quantiles, invert_the_poisson_distribution) {
  std::mt19937 words(13);
  for (const double lambda : {0.01, 3.5, 77.0, 200.0}) {
    const discrete_quantiles quantiles = discrete_quantiles::of_poisson(lambda);
    uint32_t numbers[333], drawn[333];
    for (int i = 0; i < 333; ++i)
      numbers[i] = drawn[i] = i < 2 ? 0u - static_cast<uint32_t>(i) : static_cast<uint32_t>(words());
    quantiles(numbers, 333);
    double term = std::exp(-lambda), sum = term;
    std::vector<double> sums = {sum};
    for (int k = 1; k < 400; ++k) term *= lambda / k, sums.push_back(sum += term);
    for (int i = 0; i < 333; ++i) {
      const double probability = drawn[i] * 0x1p-32 + 0x1p-33;
      const uint32_t k = numbers[i];
      ASSERT_GE(sums[k], probability - 1e-13) << lambda << " " << drawn[i];
      ASSERT_LT(k > 0 ? sums[k - 1] : 0.0, probability + 1e-13) << lambda << " " << drawn[i];
    }
  }
}

}  // namespace
