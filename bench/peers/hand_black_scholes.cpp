// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hand_written.hpp"

#if COHORT_BENCH_SLEEF && (defined(__AVX512F__) || defined(__AVX2__))

#include <immintrin.h>
#include <sleef.h>

#include "cores.hpp"

namespace bench::hand_written {

namespace {

#if defined(__AVX512F__)
using vector = __m512;
vector exp_of(vector x) { return Sleef_expf16_u10avx512f(x); }
vector log_of(vector x) { return Sleef_logf16_u10avx512f(x); }
vector root_of(vector x) { return _mm512_maskz_sqrt_ps(0xffff, x); }  // g++ 12 warns of the form without a mask
vector load(const float* from) { return _mm512_loadu_ps(from); }
void store(float* to, vector x) { _mm512_storeu_ps(to, x); }
vector select_positive(vector x, vector positive, vector other) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ), other, positive);
}
vector magnitude(vector x) { return _mm512_abs_ps(x); }
#else
using vector = __m256;
vector exp_of(vector x) { return Sleef_expf8_u10avx2(x); }
vector log_of(vector x) { return Sleef_logf8_u10avx2(x); }
vector root_of(vector x) { return _mm256_sqrt_ps(x); }
vector load(const float* from) { return _mm256_loadu_ps(from); }
void store(float* to, vector x) { _mm256_storeu_ps(to, x); }
vector select_positive(vector x, vector positive, vector other) {
  return _mm256_blendv_ps(other, positive, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ));
}
vector magnitude(vector x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
#endif

// The cumulative normal distribution, Abramowitz and Stegun 26.2.17.
vector normal_distribution(vector d) {
  const vector k = 1.0f / (1.0f + 0.2316419f * magnitude(d));
  const vector polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const vector tail = 0.39894228040143267794f * exp_of(-0.5f * d * d) * polynomial;
  return select_positive(d, 1.0f - tail, tail);
}

void price_options(const options_data& data, size_t i) {
  const vector price = load(data.price + i);
  const vector strike = load(data.strike + i);
  const vector years = load(data.years + i);
  const vector deviation = volatility * root_of(years);
  const vector d1 = (log_of(price / strike) + (riskless_rate + 0.5f * volatility * volatility) * years) / deviation;
  const vector d2 = d1 - deviation;
  const vector n1 = normal_distribution(d1);
  const vector n2 = normal_distribution(d2);
  const vector discounted = strike * exp_of(-riskless_rate * years);
  store(data.call + i, price * n1 - discounted * n2);
  store(data.put + i, discounted * (1.0f - n2) - price * (1.0f - n1));
}

}  // namespace

bool has_sleef() { return true; }
std::string sleef_version() {
  return std::to_string(SLEEF_VERSION_MAJOR) + "." + std::to_string(SLEEF_VERSION_MINOR) + "." +
         std::to_string(SLEEF_VERSION_PATCHLEVEL);
}

void black_scholes(const options_data& data, size_t n) {
  constexpr size_t width = sizeof(vector) / sizeof(float);
  for_each_range(n / width, even_share, [=](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) price_options(data, i * width);
  });
}

}  // namespace bench::hand_written

#else

namespace bench::hand_written {

bool has_sleef() { return false; }
std::string sleef_version() { return "not installed, or no form for this CPU"; }
void black_scholes(const options_data&, size_t) {}

}  // namespace bench::hand_written

#endif
