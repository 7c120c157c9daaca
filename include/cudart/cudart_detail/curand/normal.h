// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal and log-normal numbers. Pseudorandom generators give pairs by the method of Box and Muller, sine first; the
// second number of a pair waits in the state. Sobol' sequences and MTGP32 use the inverse of the normal distribution.
#pragma once

#include <math.h>

#include "uniform.h"

constexpr int cohort_box_muller_extra = 0x1111;  // the flag of a state that holds the second number of a pair

// Two numbers of the normal distribution by the Box-Muller transform: `u` is in (0, 1], `angle` is in radians.
COHORT_BOTH_FUNCTION float2 cohort_box_muller(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  float2 pair;
  sincosf(angle, &pair.x, &pair.y);
  return float2{pair.x * radius, pair.y * radius};
}
COHORT_BOTH_FUNCTION double2 cohort_box_muller(double u, double angle) {
  const double radius = sqrt(-2.0 * log(u));
  return double2{sin(angle) * radius, cos(angle) * radius};
}

constexpr double cohort_two_pi = 6.283185307179586476925286766559;

COHORT_BOTH_FUNCTION float cohort_angle_float(unsigned int word) {
  return static_cast<float>(word) * static_cast<float>(0x1p-32 * cohort_two_pi) +
         static_cast<float>(0x1p-33 * cohort_two_pi);
}
COHORT_BOTH_FUNCTION float2 cohort_normal_pair(unsigned int a, unsigned int b) {
  return cohort_box_muller(cohort_unit_float(a), cohort_angle_float(b));
}
COHORT_BOTH_FUNCTION double2 cohort_normal_pair(unsigned int a, unsigned int b, unsigned int c, unsigned int d) {
  return cohort_box_muller(cohort_unit_double(a, b), cohort_unit_double(c, d) * cohort_two_pi);
}
// A pair of normal numbers from two values of MRG32k3a, which are below its modulus instead of 2^32.
COHORT_BOTH_FUNCTION float2 cohort_mrg_normal_pair(unsigned int a, unsigned int b) {
  return cohort_box_muller(static_cast<float>(cohort_mrg_double(a) * cohort_mrg_to_unit),
                           static_cast<float>(cohort_mrg_double(b) * cohort_mrg_to_unit * cohort_two_pi));
}
COHORT_BOTH_FUNCTION double2 cohort_mrg_normal_pair_double(unsigned int a, unsigned int b) {
  return cohort_box_muller(cohort_mrg_double(a) * cohort_mrg_to_unit,
                           cohort_mrg_double(b) * cohort_mrg_to_unit * cohort_two_pi);
}

// The probability whose inverse is a Sobol' generator's normal number.
COHORT_BOTH_FUNCTION double cohort_normal_position(unsigned int word) { return word * 0x1p-32 + 0x1p-33; }
COHORT_BOTH_FUNCTION double cohort_normal_position(unsigned long long word) {
  return static_cast<double>(word >> 11) * 0x1p-53 + 0x1p-54;
}

/// Returns two normal numbers with mean 0 and standard deviation 1.
COHORT_BOTH_FUNCTION float2 curand_normal2(curandStateXORWOW_t* state) {
  const unsigned int a = curand(state);
  return cohort_normal_pair(a, curand(state));
}
COHORT_BOTH_FUNCTION float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  const unsigned int a = curand(state);
  return cohort_normal_pair(a, curand(state));
}
COHORT_BOTH_FUNCTION float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const unsigned int a = cohort_mrg_value(state);
  return cohort_mrg_normal_pair(a, cohort_mrg_value(state));
}
COHORT_BOTH_FUNCTION double2 curand_normal2_double(curandStateXORWOW_t* state) {
  unsigned int words[4];
  for (unsigned int& word : words) word = curand(state);
  return cohort_normal_pair(words[0], words[1], words[2], words[3]);
}
COHORT_BOTH_FUNCTION double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 words = curand4(state);
  return cohort_normal_pair(words.x, words.y, words.z, words.w);
}
COHORT_BOTH_FUNCTION double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const unsigned int a = cohort_mrg_value(state);
  return cohort_mrg_normal_pair_double(a, cohort_mrg_value(state));
}
COHORT_BOTH_FUNCTION float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 w = curand4(state);
  const float2 a = cohort_normal_pair(w.x, w.y), b = cohort_normal_pair(w.z, w.w);
  return float4{a.x, a.y, b.x, b.y};
}
COHORT_BOTH_FUNCTION double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// The functions of a pseudorandom state that draw one number, and those of log-normal numbers.
#define COHORT_NORMAL(kind)                                                                                          \
  COHORT_BOTH_FUNCTION float curand_normal(curandState##kind##_t* state) {                                           \
    if (state->boxmuller_flag == cohort_box_muller_extra) {                                                          \
      state->boxmuller_flag = 0;                                                                                     \
      return state->boxmuller_extra;                                                                                 \
    }                                                                                                                \
    const float2 pair = curand_normal2(state);                                                                       \
    state->boxmuller_flag = cohort_box_muller_extra, state->boxmuller_extra = pair.y;                                \
    return pair.x;                                                                                                   \
  }                                                                                                                  \
  COHORT_BOTH_FUNCTION double curand_normal_double(curandState##kind##_t* state) {                                   \
    if (state->boxmuller_flag_double == cohort_box_muller_extra) {                                                   \
      state->boxmuller_flag_double = 0;                                                                              \
      return state->boxmuller_extra_double;                                                                          \
    }                                                                                                                \
    const double2 pair = curand_normal2_double(state);                                                               \
    state->boxmuller_flag_double = cohort_box_muller_extra, state->boxmuller_extra_double = pair.y;                  \
    return pair.x;                                                                                                   \
  }                                                                                                                  \
  COHORT_BOTH_FUNCTION float2 curand_log_normal2(curandState##kind##_t* state, float mean, float stddev) {           \
    const float2 pair = curand_normal2(state);                                                                       \
    return float2{expf(mean + stddev * pair.x), expf(mean + stddev * pair.y)};                                       \
  }                                                                                                                  \
  COHORT_BOTH_FUNCTION double2 curand_log_normal2_double(curandState##kind##_t* state, double mean, double stddev) { \
    const double2 pair = curand_normal2_double(state);                                                               \
    return double2{exp(mean + stddev * pair.x), exp(mean + stddev * pair.y)};                                        \
  }
COHORT_NORMAL(XORWOW)
COHORT_NORMAL(MRG32k3a)
COHORT_NORMAL(Philox4_32_10)
#undef COHORT_NORMAL

COHORT_BOTH_FUNCTION float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 n = curand_normal4(state);
  return float4{expf(mean + stddev * n.x), expf(mean + stddev * n.y), expf(mean + stddev * n.z),
                expf(mean + stddev * n.w)};
}
COHORT_BOTH_FUNCTION double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
  const double4 n = curand_normal4_double(state);
  return double4{exp(mean + stddev * n.x), exp(mean + stddev * n.y), exp(mean + stddev * n.z),
                 exp(mean + stddev * n.w)};
}

// Only kernels have normcdfinv().
#if defined(__CUDA__)
#define COHORT_SOBOL_NORMAL(kind)                                                    \
  COHORT_DEVICE_FUNCTION float curand_normal(curandState##kind##_t* state) {         \
    return static_cast<float>(normcdfinv(cohort_normal_position(curand(state))));    \
  }                                                                                  \
  COHORT_DEVICE_FUNCTION double curand_normal_double(curandState##kind##_t* state) { \
    return normcdfinv(cohort_normal_position(curand(state)));                        \
  }
COHORT_SOBOL_NORMAL(Sobol32)
COHORT_SOBOL_NORMAL(ScrambledSobol32)
COHORT_SOBOL_NORMAL(Sobol64)
COHORT_SOBOL_NORMAL(ScrambledSobol64)
COHORT_SOBOL_NORMAL(Mtgp32)
#undef COHORT_SOBOL_NORMAL

#define COHORT_LOG_NORMAL(kind)                                                                                      \
  COHORT_DEVICE_FUNCTION float curand_log_normal(curandState##kind##_t* state, float mean, float stddev) {           \
    return expf(mean + stddev * curand_normal(state));                                                               \
  }                                                                                                                  \
  COHORT_DEVICE_FUNCTION double curand_log_normal_double(curandState##kind##_t* state, double mean, double stddev) { \
    return exp(mean + stddev * curand_normal_double(state));                                                         \
  }
COHORT_LOG_NORMAL(XORWOW)
COHORT_LOG_NORMAL(MRG32k3a)
COHORT_LOG_NORMAL(Philox4_32_10)
COHORT_LOG_NORMAL(Sobol32)
COHORT_LOG_NORMAL(ScrambledSobol32)
COHORT_LOG_NORMAL(Sobol64)
COHORT_LOG_NORMAL(ScrambledSobol64)
COHORT_LOG_NORMAL(Mtgp32)
#undef COHORT_LOG_NORMAL
#endif
