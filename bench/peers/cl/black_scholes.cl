// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The cumulative normal distribution, Abramowitz and Stegun 26.2.17.
float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040143267794f * exp(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float* price, __global const float* strike, __global const float* years,
                            __global float* call, __global float* put, float riskless_rate, float volatility) {
  const uint i = get_global_id(0);
  const float deviation = volatility * sqrt(years[i]);
  const float d1 = (log(price[i] / strike[i]) + (riskless_rate + 0.5f * volatility * volatility) * years[i]) / deviation;
  const float n1 = normal_distribution(d1);
  const float n2 = normal_distribution(d1 - deviation);
  const float discounted = strike[i] * exp(-riskless_rate * years[i]);
  call[i] = price[i] * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
}
