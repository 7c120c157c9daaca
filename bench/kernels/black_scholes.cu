// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {

constexpr float riskless_rate = 0.02f;
constexpr float volatility = 0.30f;

// The cumulative normal distribution, Abramowitz and Stegun 26.2.17.
__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040143267794f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes_kernel(const float* price, const float* strike, const float* years, float* call,
                                     float* put, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float deviation = volatility * sqrtf(years[i]);
  const float d1 =
      (logf(price[i] / strike[i]) + (riskless_rate + 0.5f * volatility * volatility) * years[i]) / deviation;
  const float n1 = normal_distribution(d1);
  const float n2 = normal_distribution(d1 - deviation);
  const float discounted = strike[i] * expf(-riskless_rate * years[i]);
  call[i] = price[i] * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
}

}  // namespace

void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, uint32_t n) {
  launch("Black-Scholes", (n + 255) / 256, 256, black_scholes_kernel, price, strike, years, call, put, n);
}

}  // namespace bench
