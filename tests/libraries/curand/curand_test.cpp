// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's host API against recorded sequences, in one call and in parts, on the host and in streams.
#include <cuda_runtime_api.h>
#include <curand.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

struct sequence {
  curandRngType type;
  curandOrdering order;
  unsigned long long seed, offset;
  uint32_t words, floats, doubles;
  float normal[4];
  double normal_double[4];
  unsigned int last[2];
};

const sequence sequences[] = {
#include "sequences.inc"
};

template <class Number>
uint32_t hash(const std::vector<Number>& numbers) {
  uint32_t value = 2166136261u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  for (size_t i = 0; i < numbers.size() * sizeof(Number); ++i) value = (value ^ bytes[i]) * 16777619u;
  return value;
}

constexpr int ok = CURAND_STATUS_SUCCESS;

class curand_of_place : public testing::TestWithParam<bool> {
 protected:
  curandGenerator_t make(curandRngType type) {
    curandGenerator_t generator = nullptr;
    EXPECT_EQ((GetParam() ? curandCreateGeneratorHost : curandCreateGenerator)(&generator, type), ok);
    return generator;
  }

  // Calls `generate(out, count)` with host memory for a host generator, else with device memory. Returns the numbers.
  template <class Number, class Generate>
  std::vector<Number> draw(size_t count, const Generate& generate) {
    std::vector<Number> numbers(count);
    if (GetParam()) {
      EXPECT_EQ(generate(numbers.data(), count), ok);
      return numbers;
    }
    Number* memory = nullptr;
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory), count * sizeof(Number)), cudaSuccess);
    EXPECT_EQ(generate(memory, count), ok);
    EXPECT_EQ(cudaMemcpy(numbers.data(), memory, count * sizeof(Number), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    return numbers;
  }
};

TEST_P(curand_of_place, draws_the_recorded_sequences) {
  for (const sequence& expected : sequences) {
    SCOPED_TRACE(testing::Message() << "type " << expected.type << " order " << expected.order << " seed "
                                    << expected.seed);
    const curandGenerator_t g = make(expected.type);
    ASSERT_EQ(curandSetGeneratorOrdering(g, expected.order), ok);
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, expected.seed), ok);
    const bool twister = expected.type == CURAND_RNG_PSEUDO_MTGP32;
    ASSERT_EQ(curandSetGeneratorOffset(g, expected.offset), twister ? CURAND_STATUS_TYPE_ERROR : ok);
    const auto words = draw<unsigned int>(100000, [&](auto* out, size_t n) { return curandGenerate(g, out, n); });
    const auto floats = draw<float>(5001, [&](auto* out, size_t n) { return curandGenerateUniform(g, out, n); });
    const auto doubles =
        draw<double>(9001, [&](auto* out, size_t n) { return curandGenerateUniformDouble(g, out, n); });
    const auto normal =
        draw<float>(4, [&](auto* out, size_t n) { return curandGenerateNormal(g, out, n, 1.5f, 2.25f); });
    const auto normal_double =
        draw<double>(4, [&](auto* out, size_t n) { return curandGenerateNormalDouble(g, out, n, 1.5, 2.25); });
    const auto last = draw<unsigned int>(2, [&](auto* out, size_t n) { return curandGenerate(g, out, n); });
    EXPECT_EQ(hash(words), expected.words);
    EXPECT_EQ(hash(floats), expected.floats);
    EXPECT_EQ(hash(doubles), expected.doubles);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(normal[i], expected.normal[i], 4e-6);
      EXPECT_NEAR(normal_double[i], expected.normal_double[i], 1e-14);
    }
    EXPECT_EQ(last[0], expected.last[0]);
    EXPECT_EQ(last[1], expected.last[1]);
    EXPECT_EQ(curandDestroyGenerator(g), ok);
  }
}

TEST_P(curand_of_place, goes_on_where_a_call_ended) {
  for (const curandRngType type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_PHILOX4_32_10,
        CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    const curandGenerator_t whole = make(type), parts = make(type);
    const auto all =
        draw<double>(90000, [&](auto* out, size_t n) { return curandGenerateUniformDouble(whole, out, n); });
    size_t done = 0;
    for (const size_t part : {1, 3, 4095, 2, 8195, 70000}) {
      const auto some =
          draw<double>(part, [&](auto* out, size_t n) { return curandGenerateUniformDouble(parts, out, n); });
      for (size_t i = 0; i < part; ++i) ASSERT_EQ(some[i], all[done + i]) << "type " << type << ", number " << done + i;
      done += part;
    }
    curandDestroyGenerator(whole), curandDestroyGenerator(parts);
  }
}

TEST_P(curand_of_place, keeps_its_place_under_a_new_seed) {
  const curandGenerator_t one = make(CURAND_RNG_PSEUDO_XORWOW), other = make(CURAND_RNG_PSEUDO_XORWOW);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(other, 5), ok);
  draw<unsigned int>(7, [&](auto* out, size_t n) { return curandGenerate(one, out, n); });
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(one, 5), ok);
  const auto after = draw<unsigned int>(5, [&](auto* out, size_t n) { return curandGenerate(one, out, n); });
  const auto all = draw<unsigned int>(12, [&](auto* out, size_t n) { return curandGenerate(other, out, n); });
  for (int i = 0; i < 5; ++i) EXPECT_EQ(after[i], all[7 + i]);
  curandDestroyGenerator(one), curandDestroyGenerator(other);
}

TEST_P(curand_of_place, draws_the_first_dimension_of_sobol) {
  const curandGenerator_t narrow = make(CURAND_RNG_QUASI_SOBOL32), wide = make(CURAND_RNG_QUASI_SOBOL64);
  const auto words = draw<unsigned int>(1000, [&](auto* out, size_t n) { return curandGenerate(narrow, out, n); });
  const auto long_words =
      draw<unsigned long long>(1000, [&](auto* out, size_t n) { return curandGenerateLongLong(wide, out, n); });
  for (unsigned int i = 0; i < 1000; ++i) {
    unsigned int reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= ((i ^ i >> 1) >> bit & 1) << (31 - bit);
    ASSERT_EQ(words[i], reversed);
    ASSERT_EQ(long_words[i], static_cast<unsigned long long>(reversed) << 32);
  }
  const auto normal =
      draw<double>(1000, [&](auto* out, size_t n) { return curandGenerateNormalDouble(narrow, out, n, 0, 1); });
  for (const double x : normal) ASSERT_LT(std::fabs(x), 6.4);
  ASSERT_EQ(curandSetGeneratorOffset(narrow, 500), ok);
  const auto later = draw<unsigned int>(500, [&](auto* out, size_t n) { return curandGenerate(narrow, out, n); });
  for (int i = 0; i < 500; ++i) ASSERT_EQ(later[i], words[500 + i]);
  curandDestroyGenerator(narrow), curandDestroyGenerator(wide);
}

TEST_P(curand_of_place, has_the_moments_of_its_distributions) {
  constexpr size_t count = 40000;
  for (const curandRngType type : {CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    const curandGenerator_t g = make(type);
    for (const double lambda : {0.5, 80.0, 3e6}) {
      const auto numbers =
          draw<unsigned int>(count, [&](auto* out, size_t n) { return curandGeneratePoisson(g, out, n, lambda); });
      double sum = 0, squares = 0;
      for (const double x : numbers) sum += x - lambda, squares += (x - lambda) * (x - lambda);
      EXPECT_LT(std::fabs(sum / count), 5 * std::sqrt(lambda / count)) << lambda;
      EXPECT_NEAR(squares / count / lambda, 1.0, 0.06) << lambda;
    }
    const auto numbers =
        draw<double>(count, [&](auto* out, size_t n) { return curandGenerateLogNormalDouble(g, out, n, 0.5, 0.25); });
    double sum = 0;
    for (const double x : numbers) sum += std::log(x) - 0.5;
    EXPECT_LT(std::fabs(sum / count), 5 * 0.25 / std::sqrt(count));
    curandDestroyGenerator(g);
  }
}

TEST_P(curand_of_place, restarts_twisters_under_a_new_seed) {
  for (const curandRngType type : {CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937}) {
    const curandGenerator_t g = make(type);
    const auto some = [&] {
      return draw<unsigned int>(37, [&](auto* out, size_t n) { return curandGenerate(g, out, n); });
    };
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 5), ok);
    const auto first = some();
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 5), ok);
    EXPECT_NE(some(), first);
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 6), ok);
    EXPECT_NE(some(), first);
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 5), ok);
    EXPECT_EQ(some(), first);
    EXPECT_EQ(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED), CURAND_STATUS_OUT_OF_RANGE);
    curandDestroyGenerator(g);
  }
}

INSTANTIATE_TEST_SUITE_P(places, curand_of_place, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) { return info.param ? "host" : "device"; });

// 78 rows of 65536 words contain 624 words of each stream. The hashes were recorded from cuRAND; the first stream is
// that of std::mt19937.
TEST(curand, draws_whole_blocks_of_mt19937) {
  constexpr size_t rows = 78, columns = 8, row = 65536, head = 25, count = 6000000;
  curandGenerator_t g = nullptr;
  ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MT19937), ok);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 0), ok);
  std::vector<unsigned int> words(head), rest(count);
  ASSERT_EQ(curandGenerate(g, words.data(), head), ok);
  ASSERT_EQ(curandGenerate(g, rest.data(), count), ok);
  EXPECT_EQ(hash(rest), 0xbaf4b957);
  words.insert(words.end(), rest.begin(), rest.end());
  ASSERT_EQ(curandGenerate(g, rest.data(), 65536 + 13 + 7), ok);
  std::vector<double> doubles(7);
  std::vector<float> floats(5001);
  ASSERT_EQ(curandGenerateUniformDouble(g, doubles.data(), 7), ok);
  ASSERT_EQ(curandGenerateUniform(g, floats.data(), 5001), ok);
  EXPECT_EQ(hash(doubles), 0xa33aa2df);
  EXPECT_EQ(hash(floats), 0x9a7cbb18);
  std::multiset<unsigned int> ours, expected;
  std::mt19937 model(0);
  for (size_t i = 0; i < rows * columns; ++i) {
    ours.insert(words[i / columns * row + i % columns]);
    expected.insert(static_cast<unsigned int>(model()));
  }
  EXPECT_EQ(ours, expected);
  curandDestroyGenerator(g);
}

TEST(curand, runs_in_the_order_of_its_stream) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  unsigned int *first = nullptr, *copy = nullptr;
  constexpr size_t count = 100000;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&first), count * 4), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&copy), count * 4), cudaSuccess);
  curandGenerator_t g;
  ASSERT_EQ(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10), ok);
  ASSERT_EQ(curandSetStream(g, stream), ok);
  ASSERT_EQ(curandGenerate(g, first, count), ok);
  // Later changes of the settings, and the end of the handle, do not affect this call.
  ASSERT_EQ(cudaMemcpyAsync(copy, first, count * 4, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(g, 17), ok);
  ASSERT_EQ(curandGenerate(g, first, count), ok);
  ASSERT_EQ(curandDestroyGenerator(g), ok);
  EXPECT_EQ(curandDestroyGenerator(g), CURAND_STATUS_NOT_INITIALIZED);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  std::vector<unsigned int> expected(count), words(count);
  ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10), ok);
  ASSERT_EQ(curandGenerate(g, expected.data(), count), ok);
  ASSERT_EQ(cudaMemcpy(words.data(), copy, count * 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(words, expected);
  ASSERT_EQ(cudaMemcpy(words.data(), first, count * 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_NE(words, expected);
  curandDestroyGenerator(g);
  cudaFree(first), cudaFree(copy);
  cudaStreamDestroy(stream);
}

TEST(curand, reports_an_output_outside_of_memory) {
  curandGenerator_t g = nullptr;
  float* out = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&out), 100 * sizeof *out), cudaSuccess);
  ASSERT_EQ(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW), ok);
  testing::internal::CaptureStderr();
  static_cast<void>(curandGenerateUniform(g, out, 101));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("curandGenerateUniform writes illegal address"), std::string::npos) << text;
  EXPECT_NE(text.find("  outputPtr: 404 bytes at"), std::string::npos) << text;
  EXPECT_EQ(curandDestroyGenerator(g), ok);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

TEST(curand, refuses_wrong_arguments) {
  curandGenerator_t g = nullptr;
  unsigned int word;
  float number;
  EXPECT_EQ(curandGenerate(nullptr, &word, 1), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandCreateGeneratorHost(&g, static_cast<curandRngType>(7)), CURAND_STATUS_TYPE_ERROR);
  ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT), ok);
  EXPECT_EQ(curandGenerateNormal(g, &number, 1, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(curandGeneratePoisson(g, &word, 1, 0), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGenerateLongLong(g, nullptr, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(g, 2), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandDestroyGenerator(g), ok);
  ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64), ok);
  EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(g, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandGenerate(g, &word, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(g, 1), ok);
  EXPECT_EQ(curandDestroyGenerator(g), ok);
}

// A Poisson number is the least number whose probability sum reaches the position of the word.
TEST(curand, draws_the_quantiles_of_poisson) {
  constexpr size_t count = 5003;
  for (const double lambda : {0.001, 0.5, 7.25, 80.0, 1e4}) {
    curandGenerator_t g = nullptr;
    ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32), ok);
    std::vector<unsigned int> words(count), numbers(count);
    ASSERT_EQ(curandGenerate(g, words.data(), count), ok);
    ASSERT_EQ(curandSetGeneratorOffset(g, 0), ok);
    ASSERT_EQ(curandGeneratePoissonMethod(g, numbers.data(), count, lambda, CURAND_KNUTH), ok);
    for (size_t i = 0; i < count; ++i) {
      const double position = words[i] * 0x1p-32 + 0x1p-33;
      double number = std::floor(std::max(0.0, lambda - 9 * std::sqrt(lambda)));
      double term = std::exp(number * std::log(lambda) - lambda - std::lgamma(number + 1)), sum = term;
      while (sum < position) term *= lambda / ++number, sum += term;
      ASSERT_EQ(numbers[i], number) << "mean " << lambda << ", word " << words[i];
    }
    EXPECT_EQ(curandDestroyGenerator(g), ok);
  }
}

// The model sums the probabilities of numbers from 0 on in long double.
TEST(curand, draws_the_quantiles_of_binomial) {
  constexpr size_t count = 2003;
  struct trials {
    unsigned int n;
    double p;
  };
  for (const trials t : {trials{1, 0.5}, {10, 0.3}, {7, 0}, {7, 1}, {0, 0.5}, {900, 0.01}, {300, 0.95}, {2, 0.994}}) {
    curandGenerator_t g = nullptr;
    ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32), ok);
    std::vector<unsigned int> words(count), numbers(count);
    ASSERT_EQ(curandGenerate(g, words.data(), count), ok);
    ASSERT_EQ(curandSetGeneratorOffset(g, 0), ok);
    ASSERT_EQ(curandGenerateBinomial(g, numbers.data(), count, t.n, t.p), ok);
    for (size_t i = 0; i < count; ++i) {
      const long double position = words[i] * 0x1p-32L + 0x1p-33L;
      unsigned int number = 0;
      long double ways = 1, sum = std::pow(1 - static_cast<long double>(t.p), t.n);
      while (sum < position && number < t.n) {
        ways *= static_cast<long double>(t.n - number) / (number + 1), ++number;
        sum += ways * std::pow(static_cast<long double>(t.p), number) *
               std::pow(1 - static_cast<long double>(t.p), t.n - number);
      }
      ASSERT_EQ(numbers[i], number) << t.n << " trials of " << t.p << ", word " << words[i];
    }
    EXPECT_EQ(curandGenerateBinomial(g, numbers.data(), 1, 7, 1.5), CURAND_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(curandGenerateBinomialMethod(g, numbers.data(), 1, 7, 0.5, static_cast<curandMethod_t>(14)),
              CURAND_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(curandDestroyGenerator(g), ok);
  }
}

// Both failures, of probability 0.006 each, are so rare that only one number of 27,778 has them.
TEST(curand, draws_rare_binomial_numbers) {
  constexpr size_t count = 1 << 22;
  for (const double p : {0.994, 0.006}) {
    curandGenerator_t g = nullptr;
    ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32), ok);
    std::vector<unsigned int> numbers(count);
    ASSERT_EQ(curandGenerateBinomial(g, numbers.data(), count, 2, p), ok);
    EXPECT_NEAR(std::count(numbers.begin(), numbers.end(), p > 0.5 ? 0u : 2u), count * 0.006 * 0.006, 2);
    EXPECT_EQ(curandDestroyGenerator(g), ok);
  }
}

TEST(curand, draws_binomial_numbers_of_many_trials) {
  constexpr size_t count = 40000;
  constexpr unsigned int n = 4000000000u;
  curandGenerator_t g = nullptr;
  ASSERT_EQ(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10), ok);
  for (const double p : {0.25, 1e-5, 1.0 - 1e-5}) {
    std::vector<unsigned int> numbers(count);
    ASSERT_EQ(curandGenerateBinomialMethod(g, numbers.data(), count, n, p, CURAND_M1), ok);
    const double mean = n * p, variance = n * p * (1 - p);
    double sum = 0, squares = 0;
    for (const double x : numbers) sum += x - mean, squares += (x - mean) * (x - mean);
    EXPECT_LT(std::fabs(sum / count), 5 * std::sqrt(variance / count)) << p;
    EXPECT_NEAR(squares / count / variance, 1.0, 0.06) << p;
  }
  EXPECT_EQ(curandDestroyGenerator(g), ok);
}

// Each number of a call is scaled once, whatever its place among the generator's lanes and tiles.
TEST(curand, makes_log_normal_numbers_of_all_normal_numbers) {
  for (const curandRngType type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937,
        CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    curandGenerator_t one = nullptr, other = nullptr;
    ASSERT_EQ(curandCreateGeneratorHost(&one, type), ok);
    ASSERT_EQ(curandCreateGeneratorHost(&other, type), ok);
    for (const size_t count : {2, 70006, 4098, 180000}) {
      if (type == CURAND_RNG_PSEUDO_MT19937 && count > 65536) continue;  // all its streams take 1 s to begin
      std::vector<double> normal(count), log_normal(count);
      std::vector<float> floats(count), log_floats(count);
      ASSERT_EQ(curandGenerateNormalDouble(one, normal.data(), count, 0.5, 0.25), ok);
      ASSERT_EQ(curandGenerateLogNormalDouble(other, log_normal.data(), count, 0.5, 0.25), ok);
      ASSERT_EQ(curandGenerateNormal(one, floats.data(), count, 0.5f, 0.25f), ok);
      ASSERT_EQ(curandGenerateLogNormal(other, log_floats.data(), count, 0.5f, 0.25f), ok);
      for (size_t i = 0; i < count; ++i) {
        ASSERT_NEAR(log_normal[i], std::exp(normal[i]), 4e-15 * log_normal[i]) << type << ", " << count << ", " << i;
        ASSERT_NEAR(log_floats[i], std::exp(floats[i]), 1e-6f * log_floats[i]) << type << ", " << count << ", " << i;
      }
    }
    EXPECT_EQ(curandDestroyGenerator(one), ok);
    EXPECT_EQ(curandDestroyGenerator(other), ok);
  }
}

// Each refusal names its reason on stderr.
TEST(curand, names_what_it_lacks) {
  curandGenerator_t g = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32), CURAND_STATUS_TYPE_ERROR);
  ASSERT_EQ(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32), ok);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(g, 3), CURAND_STATUS_OUT_OF_RANGE);
  const std::string text = testing::internal::GetCapturedStderr();
  for (const char* name : {"SCRAMBLED_SOBOL64", "SCRAMBLED_SOBOL32", "only one dimension"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
  curandDestroyGenerator(g);
}

// One call draws adjacent numbers of the sequence, whatever calls of the same generator run on other streams.
TEST(curand, draws_of_streams_do_not_mix) {
  constexpr size_t count = 1 << 20;
  curandGenerator_t g = nullptr;
  ASSERT_EQ(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10), ok);
  unsigned int* numbers[2] = {};
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(
        cudaMallocManaged(reinterpret_cast<void**>(&numbers[i]), count * sizeof(unsigned int), cudaMemAttachGlobal),
        cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), cudaSuccess);
  }
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(curandSetStream(g, streams[i]), ok);
      ASSERT_EQ(curandSetGeneratorOffset(g, 0), ok);
      ASSERT_EQ(curandGenerate(g, numbers[i], count), ok);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    size_t different = 0;
    for (size_t i = 0; i < count; ++i) different += numbers[0][i] != numbers[1][i] ? 1 : 0;
    EXPECT_EQ(different, 0u);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cudaStreamDestroy(streams[i]), cudaSuccess);
    EXPECT_EQ(cudaFree(numbers[i]), cudaSuccess);
  }
  EXPECT_EQ(curandDestroyGenerator(g), ok);
}

TEST(curand, tells_its_version) {
  int version = 0, major = 0;
  EXPECT_EQ(curandGetVersion(&version), ok);
  EXPECT_EQ(curandGetProperty(MAJOR_VERSION, &major), ok);
  EXPECT_EQ(version, 10400);
  EXPECT_EQ(major, 10);
}

}  // namespace
